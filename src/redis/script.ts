import { createHash } from 'node:crypto';

/** A Lua script and the SHA-1 under which Redis caches it. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
}

export function script(source: string): Script {
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}
