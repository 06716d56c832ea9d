import type { Config } from '../../config.ts';
import { inspectRedis } from '../../redis/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const RIGHTS = '+@connection +set +get +del +time +eval +evalsha ~sponsorgate:*';

/**
 * Checks that processes can share limits over REDIS_URL. Without Redis the service runs but allows too many requests.
 */
export async function* checkRedis({ redis }: Config): AsyncGenerator<Finding> {
  if (redis === undefined) return;
  const state = await inspectRedis(redis.url);
  switch (state.kind) {
    case 'unreachable':
      yield fail('redis', `does not answer (${state.reason}): check REDIS_URL and that it runs. ${ALONE}`);
      return;
    case 'refused':
      yield fail('redis', `refuses us (${state.reason}): check REDIS_URL; its user needs ${RIGHTS}`);
      return;
    case 'unusable':
      yield fail('redis', `${adviceOn(state.reason)} (${state.reason}). ${ALONE}`);
      return;
    case 'usable':
      yield usability(state, redis.timeoutMs);
  }
}

const ALONE = 'Until then each process counts for itself';

function adviceOn(reason: string): string {
  if (reason.startsWith('READONLY')) return 'is a copy of another: REDIS_URL has to name the one that takes writes';
  if (reason.startsWith('OOM')) return 'is full: raise its maxmemory, or let it evict by volatile-ttl';
  if (/^(MOVED|CROSSSLOT|CLUSTERDOWN)/.test(reason)) return 'is a cluster, which cannot be used: name a single server';
  // Scripts that read the time and then write need Redis 5.
  return 'does not take counts: look at its log, and whether it is Redis 5 or newer';
}

function usability(
  { version, isCluster, answerMs }: { version: string | undefined; isCluster: boolean; answerMs: number },
  timeoutMs: number,
): Finding {
  const name = version === undefined ? 'of a version it does not tell' : version;
  const seen = `Redis ${name} takes counts in ${answerMs.toFixed(1)} ms`;
  if (isCluster) return fail('redis', `${seen}, but is a cluster, which cannot be used: name a single server`);
  if (answerMs >= timeoutMs) {
    return warn(
      'redis',
      `${seen}, and a request waits ${timeoutMs} ms at most: bring it nearer, or raise REDIS_TIMEOUT_MS`,
    );
  }
  return ok('redis', `${seen}; a request waits ${timeoutMs} ms at most`);
}
