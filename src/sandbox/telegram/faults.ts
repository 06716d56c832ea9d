import type { Static } from 'typebox';
import type { Context } from './context.ts';
import type { NewFaultBody } from './control-schemas.ts';
import { clearFaults, type Fault, insertFault, listFaults, useFault } from './faults-store.ts';

export type FaultRequest = Static<typeof NewFaultBody>;

const DEFAULT_DELAY_MS = 1_000;
const DEFAULT_RETRY_AFTER_SECONDS = 1;
/** The methods that need administrator rights. */
const ADMIN_METHODS: ReadonlySet<string> = new Set(['getchatmember', 'getchatadministrators']);

export type Faults = ReturnType<typeof createFaults>;

/** Faults are rare and calls are many, so each process caches the list. Every change clears the cache in all processes. */
export function createFaults(context: Context) {
  let cached: Promise<Fault[]> | undefined;
  const clearCache = (): void => {
    cached = undefined;
  };
  context.bus.on('faults', clearCache);
  context.bus.onGap(clearCache);

  async function read(): Promise<Fault[]> {
    const reading = cached ?? listFaults(context.db);
    cached = reading;
    try {
      return await reading;
    } catch (error) {
      if (cached === reading) clearCache(); // a failed read must not stay cached
      throw error;
    }
  }

  return {
    async set(request: FaultRequest): Promise<void> {
      const method = request.method?.toLowerCase() ?? null;
      const chatId = request.chat_id === undefined ? null : String(request.chat_id);
      await context.bus.transact(async (tx, announce) => {
        if (request.mode === 'none') {
          await clearFaults(tx, method, chatId);
          announce({ kind: 'faults_cleared' });
        } else {
          await insertFault(tx, {
            mode: request.mode,
            method,
            chatId,
            count: request.count ?? null,
            delayMs: request.delay_ms ?? DEFAULT_DELAY_MS,
            retryAfterSeconds: request.retry_after ?? DEFAULT_RETRY_AFTER_SECONDS,
          });
        }
        announce({ kind: 'faults' });
      });
    },
    /** Returns whether Telegram's limits per token and per chat are switched on. */
    async hasFloodLimits(): Promise<boolean> {
      return (await read()).some(({ mode }) => mode === 'flood_limits');
    },
    /** Returns the fault that applies to this call, if any, and uses one call of a counted fault. */
    async take(method: string, chatId: string | undefined): Promise<Fault | undefined> {
      for (const fault of await read()) {
        if (!applies(fault, method, chatId)) continue;
        if (!fault.counted) return fault;
        const used = await context.bus.transact(async (tx, announce) => {
          const use = await useFault(tx, fault.id);
          if (use.last) announce({ kind: 'faults' });
          return use.used;
        });
        if (used) return fault;
      }
      return undefined;
    },
  };
}

/**
 * A fault without a method does not apply to getUpdates: a poller calls it all the time and would use up the count, and
 * without it no update would arrive. A fault that names getUpdates applies to it.
 */
function applies(fault: Fault, method: string, chatId: string | undefined): boolean {
  if (fault.mode === 'flood_limits') return false; // see hasFloodLimits
  if (fault.method === null ? method === 'getupdates' : fault.method !== method) return false;
  if (fault.chatId !== null && fault.chatId !== chatId) return false;
  // Without a method, `not_admin` applies to the methods that need rights; with one, to that method.
  return fault.mode !== 'not_admin' || fault.method !== null || ADMIN_METHODS.has(method);
}
