import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentTracer, type Span } from '../core/tracing.ts';

/** Load balancers and Prometheus call these every few seconds. */
const UNTRACED: ReadonlySet<string> = new Set(['/api/v1/health', '/api/v1/ready', '/metrics']);

/**
 * Traces every request, if the process has a tracer. Otherwise it adds no hook. A span names the route's template and
 * never the URL, which may contain tokens. A `traceparent` of the caller is ignored: a stranger would decide what is
 * sampled.
 */
export function traceRequests(app: FastifyInstance): void {
  const tracer = currentTracer();
  if (tracer === undefined) return;
  const spans = new WeakMap<FastifyRequest, Span>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    if (route !== undefined && UNTRACED.has(route)) return done();
    const method = route === undefined ? 'any' : request.method;
    const template = route ?? 'unmatched';
    const attributes = { 'http.request.method': method, 'http.route': template };
    const span = tracer.start(`${method} ${template}`, { attributes, kind: 'server' });
    if (span !== undefined) spans.set(request, span);
    tracer.run(span, done);
  });
  // The body arrives in events of the socket, which run in no span.
  app.addHook('preValidation', (request, _reply, done) => tracer.run(spans.get(request), done));
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
    done();
  });
}
