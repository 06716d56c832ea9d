import type { Context } from './context.ts';
import { clearFaults, type Fault, type FaultMode, insertFault, listFaults, useFault } from './faults-store.ts';

export interface FaultWish {
  readonly mode: FaultMode | 'none';
  readonly method?: string | undefined;
  readonly chat_id?: number | string | undefined;
  /** How many calls it spoils before it disappears; for ever when absent. */
  readonly count?: number | undefined;
  readonly delay_ms?: number | undefined;
  readonly retry_after?: number | undefined;
}

const DEFAULT_DELAY_MS = 1_000;
const DEFAULT_RETRY_AFTER_SECONDS = 1;
/** The questions that need administrator rights. */
const ADMIN_METHODS: ReadonlySet<string> = new Set(['getchatmember', 'getchatadministrators']);

export interface Faults {
  set(wish: FaultWish): Promise<void>;
  /** The fault that spoils this call, if any; a counted one is used up by the asking. */
  take(method: string, chatId: string | undefined): Promise<Fault | undefined>;
  /** Whether Telegram's limits per token and per chat are switched on. */
  hasFloodLimits(): Promise<boolean>;
}

/**
 * Faults are rare and calls are many, so the list is kept in memory and costs nothing while it is empty. Whoever changes
 * it tells all processes, its own at once.
 */
export function createFaults(context: Context): Faults {
  let cached: Promise<Fault[]> | undefined;
  const forget = (): void => {
    cached = undefined;
  };
  context.bus.on('faults', forget);
  context.bus.onGap(forget);

  async function read(): Promise<Fault[]> {
    const reading = cached ?? listFaults(context.db);
    cached = reading;
    try {
      return await reading;
    } catch (error) {
      if (cached === reading) forget(); // a failed read must not be remembered
      throw error;
    }
  }

  return {
    async set(wish) {
      const method = wish.method?.toLowerCase() ?? null;
      const chatId = wish.chat_id === undefined ? null : String(wish.chat_id);
      await context.bus.transact(async (tx, announce) => {
        if (wish.mode === 'none') {
          await clearFaults(tx, method, chatId);
          announce({ kind: 'faults_cleared' });
        } else {
          await insertFault(tx, {
            mode: wish.mode,
            method,
            chatId,
            count: wish.count ?? null,
            delayMs: wish.delay_ms ?? DEFAULT_DELAY_MS,
            retryAfterSeconds: wish.retry_after ?? DEFAULT_RETRY_AFTER_SECONDS,
          });
        }
        announce({ kind: 'faults' });
      });
    },
    async hasFloodLimits() {
      return (await read()).some(({ mode }) => mode === 'flood_limits');
    },
    async take(method, chatId) {
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
 * A fault without a method spares getUpdates: a poller asks all the time and would use up the count, and without it no
 * update would arrive. Name the method to spoil it too.
 */
function applies(fault: Fault, method: string, chatId: string | undefined): boolean {
  if (fault.mode === 'flood_limits') return false; // spoils nothing by itself
  if (fault.method === null ? method === 'getupdates' : fault.method !== method) return false;
  if (fault.chatId !== null && fault.chatId !== chatId) return false;
  // Without a method it spoils what needs rights; one that is named is refused whatever it is.
  return fault.mode !== 'not_admin' || fault.method !== null || ADMIN_METHODS.has(method);
}
