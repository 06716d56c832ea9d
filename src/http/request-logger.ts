import type { FastifyBaseLogger } from 'fastify';

type Line = readonly [fields: object, message?: string];

/**
 * The logger of one request; its lines contain the request id. It creates the real logger with the first line, because
 * few requests log anything and creating a logger costs more than some requests.
 */
class RequestLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...[bindings, options]: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own.child(bindings, options);
  }

  trace(...line: Line): void {
    this.#own.trace(...line);
  }

  debug(...line: Line): void {
    this.#own.debug(...line);
  }

  info(...line: Line): void {
    this.#own.info(...line);
  }

  warn(...line: Line): void {
    this.#own.warn(...line);
  }

  error(...line: Line): void {
    this.#own.error(...line);
  }

  fatal(...line: Line): void {
    this.#own.fatal(...line);
  }

  silent(): void {}
}

/** For Fastify's `childLoggerFactory`. */
export function createRequestLogger(parent: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return new RequestLogger(parent, bindings) as unknown as FastifyBaseLogger;
}
