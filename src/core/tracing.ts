/**
 * The port between the service and its tracing. A trace shows the steps of one request, job or update: the batch that
 * it shared, the statements and the calls to Telegram. `src/tracing` implements it when OTEL_EXPORTER_OTLP_ENDPOINT is
 * set. Otherwise there is no tracer, and every function here returns after one comparison.
 */

/** Numbers and words of our own code. Never a secret, an id of a person or a text that a user wrote. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** One step of a trace. */
export interface Span {
  set(attributes: Attributes): void;
  /** Points to a step of another trace. */
  link(other: Span): void;
  /** Ends the step. A failure contains its kind only: messages of errors may contain values of users. */
  end(failure?: string): void;
}

export interface SpanOptions {
  readonly attributes?: Attributes;
  /** The step that this one belongs to. Without it, the span begins a new trace. */
  readonly parent?: Span | undefined;
  /** `server` receives a call, `client` makes one. */
  readonly kind?: 'server' | 'client';
}

export interface Tracer {
  /** Returns the span in which the caller runs, across every `await`. */
  current(): Span | undefined;
  /** Returns undefined for a trace that the sampling leaves out. */
  start(name: string, options: SpanOptions): Span | undefined;
  /** Runs `work` in a span, or in none. */
  run<T>(span: Span | undefined, work: () => T): T;
}

/** One per process, like the metrics of the process: a batch serves requests of every part of the service. */
let tracer: Tracer | undefined;

/** Sets the tracer of the process. Call it before the server is built, and with undefined after it is closed. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export const currentTracer = (): Tracer | undefined => tracer;

/** Starts a step of the current span. Returns undefined when nothing is traced here. */
export function startStep(name: string, options: Omit<SpanOptions, 'parent'>): Span | undefined {
  const parent = tracer?.current();
  return parent === undefined ? undefined : tracer?.start(name, { ...options, parent });
}

/** Runs `work` as a step of the current span. Without a current span, it begins a new trace. */
export async function traceWork<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (tracer === undefined) return work();
  const span = tracer.start(name, { attributes, parent: tracer.current() });
  try {
    const result = await tracer.run(span, work);
    span?.end();
    return result;
  } catch (error) {
    span?.end(kindOf(error));
    throw error;
  }
}

/** Links of one batch. More would make the span larger than the batch is worth. */
const MAX_LINKS = 32;

/**
 * Runs a batch as a step of its first traced request. The other requests and the batch point to each other, because a
 * step has one parent.
 */
export async function traceBatch<T>(
  name: string,
  requests: readonly (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work();
  const [parent, ...others] = new Set(requests.filter((request) => request !== undefined));
  // Without a traced request, leave the span of the request that started the batcher.
  if (parent === undefined) return tracer.run(undefined, work);
  return tracer.run(parent, () =>
    traceWork(`batch ${name}`, { 'batch.items': requests.length }, () => {
      const batch = tracer?.current();
      for (const other of others.slice(0, MAX_LINKS)) {
        batch?.link(other);
        if (batch !== undefined) other.link(batch);
      }
      return work();
    }),
  );
}

/** Returns the kind of an error without its message: a code such as PostgreSQL's `23505`, or the name of its class. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
