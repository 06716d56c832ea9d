import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span as OtelSpan, Tracer as OtelTracer } from '@opentelemetry/api';
import type { Attributes, Span, SpanOptions, Tracer } from '../core/tracing.ts';

export interface TracingOptions {
  /** The address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** The share of requests, jobs and updates that is traced, from 0 to 1. */
  readonly share: number;
  readonly version: string;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends the spans that are still in memory, for two seconds at most. */
  close(): Promise<void>;
}

const SERVICE_NAME = 'sponsorgate';
/** A collector that is away must not delay the stop of the service. */
const EXPORT_TIMEOUT_MS = 2_000;

/**
 * Opens the export of traces by OTLP over HTTP. Loads OpenTelemetry here, so that a service without tracing neither
 * reads nor runs it. The exporter drops spans when the collector is away or too slow, and never waits in a request.
 */
export async function openTracing({ endpoint, share, version }: TracingOptions): Promise<Tracing> {
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new sdk.TracerProvider({
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    resource: resourceFromAttributes({ 'service.name': SERVICE_NAME, 'service.version': version }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS }),
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  const otel: OtelTracer = provider.getTracer(SERVICE_NAME, version);
  const running = new AsyncLocalStorage<OpenSpan | undefined>();
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

  class OpenSpan implements Span {
    readonly otel: OtelSpan;
    readonly context: Context;

    constructor(otelSpan: OtelSpan) {
      this.otel = otelSpan;
      this.context = trace.setSpan(ROOT_CONTEXT, otelSpan);
    }

    set(attributes: Attributes): void {
      this.otel.setAttributes(attributes);
    }

    link(other: Span): void {
      if (other instanceof OpenSpan) this.otel.addLink({ context: other.otel.spanContext() });
    }

    end(failure?: string): void {
      if (failure !== undefined) {
        this.otel.setAttribute('error.type', failure);
        this.otel.setStatus({ code: SpanStatusCode.ERROR });
      }
      this.otel.end();
    }
  }

  return {
    tracer: {
      current: () => running.getStore(),
      start(name: string, { attributes = {}, parent, kind }: SpanOptions) {
        const context = parent instanceof OpenSpan ? parent.context : ROOT_CONTEXT;
        const options = { attributes, kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind] };
        const span = otel.startSpan(name, options, context);
        return span.isRecording() ? new OpenSpan(span) : undefined;
      },
      run: (span, work) => running.run(span instanceof OpenSpan ? span : undefined, work),
    },
    // The last spans are lost when the collector is away; the process still has to end.
    close: () => provider.shutdown().catch(() => undefined),
  };
}
