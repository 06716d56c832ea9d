import ajvCompiler from '@fastify/ajv-compiler';
import serializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type CompilersFactory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/**
 * Compiles each schema once per process. Most routes have the same error responses, and compiling is half of the
 * processor time of a start. Two schemas with the same content share one function.
 */
export const sharedCompilers: CompilersFactory = {
  buildValidator: shareCompiled(ajvCompiler()),
  buildSerializer: shareCompiled(serializerCompiler()),
};

function shareCompiled<Schemas, Options, Route, Compiled>(
  build: (externalSchemas: Schemas, options?: Options) => (route: Route) => Compiled,
): (externalSchemas: Schemas, options?: Options) => (route: Route) => Compiled {
  const compiled = new Map<string, Compiled>();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    const prefix = JSON.stringify([externalSchemas, options]);
    return (route) => {
      const key = prefix + JSON.stringify(schemaOf(route));
      let shared = compiled.get(key);
      if (shared === undefined) {
        shared = compile(route);
        compiled.set(key, shared);
      }
      return shared;
    };
  };
}

/** Returns the schema of what Fastify passes to a compiler: the schema with its route, although ajv's types omit the route. */
function schemaOf(route: unknown): unknown {
  return typeof route === 'object' && route !== null && 'schema' in route ? route.schema : route;
}
