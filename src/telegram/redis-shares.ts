import { type Redis, script } from '../redis/index.ts';
import { type Agreed, agreed, type Compute, KEPT_SECONDS, type ShareRow, type ShareStore } from './share-store.ts';

/** Returns the time and the values. Only GET, SET and TIME: the Redis user needs no further right. */
const READ = script(`
local time = redis.call('TIME')
local values = { time[1] * 1000 + math.floor(time[2] / 1000) }
for i, key in ipairs(KEYS) do values[i + 1] = redis.call('GET', key) or '' end
return values
`);

/** Writes the values unless another process has changed one since they were read. */
const WRITE = script(`
for i, key in ipairs(KEYS) do
  if (redis.call('GET', key) or '') ~= ARGV[2 * i - 1] then return 0 end
end
for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[2 * i], 'PX', 60000) end
return 1
`);

/** Attempts to write; each fails only when another process was faster. */
const MAX_ATTEMPTS = 20;

/** Keeps the shares in Redis, one value per bot. */
export function createRedisShares(redis: Redis): ShareStore {
  const keyOf = (botId: number): string => `sponsorgate:checks:${botId}`;

  async function change(
    botIds: readonly number[],
    compute: (...given: Parameters<Compute>) => readonly ShareRow[],
  ): Promise<void> {
    const keys = botIds.map(keyOf);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const [nowMs = 0, ...values] = (await redis.run(READ, keys, [])) as [number, ...string[]];
      const written = botIds.flatMap((botId, i) => {
        const value = values[i] ?? '';
        return [value, JSON.stringify(compute(botId, rowsIn(value, nowMs), nowMs))];
      });
      if ((await redis.run(WRITE, keys, written)) === 1) return;
    }
    throw new Error('other processes changed the shares of checks at every attempt');
  }

  return {
    async exchange(processId, botIds, compute) {
      const result = new Map<number, Agreed>();
      await change(botIds, (botId, rows, nowMs) => {
        const row = compute(botId, rows, nowMs);
        result.set(botId, agreed(rows, row));
        return [...rows.filter((each) => each.processId !== processId), row];
      });
      return result;
    },
    leave: (processId, botIds) => change(botIds, (_, rows) => rows.filter((each) => each.processId !== processId)),
  };
}

/** Reads the rows of a value and drops those of processes that are gone. */
function rowsIn(value: string, nowMs: number): ShareRow[] {
  const rows = value === '' ? [] : (JSON.parse(value) as ShareRow[]);
  return rows.filter(({ seenAtMs }) => nowMs - seenAtMs < KEPT_SECONDS * 1_000);
}

/** Uses Redis while it responds, and PostgreSQL otherwise. */
export function createSharesWithFallback(
  redis: { readonly isUp: boolean },
  first: ShareStore,
  second: ShareStore,
): ShareStore {
  return {
    async exchange(processId, botIds, compute) {
      if (redis.isUp) {
        try {
          return await first.exchange(processId, botIds, compute);
        } catch (error) {
          if (redis.isUp) throw error;
        }
      }
      return second.exchange(processId, botIds, compute);
    },
    async leave(processId, botIds) {
      await Promise.allSettled([
        redis.isUp ? first.leave(processId, botIds) : undefined,
        second.leave(processId, botIds),
      ]);
    },
  };
}
