import type { GateClient, GateSponsor, GateUser } from './client.ts';
import { ExpiringSet } from './expiring-set.ts';

/** Nobody could say; `error` is there when it was just tried. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly error?: unknown;
}

/** May the user in? */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'tasks'; readonly sponsors: readonly GateSponsor[] }
  | Unavailable;

/** What became of "I subscribed". */
export type Confirmed =
  | { readonly kind: 'pass' }
  | { readonly kind: 'missing'; readonly sponsors: readonly GateSponsor[]; readonly checkLater: boolean }
  | Unavailable;

export interface JudgeOptions {
  readonly client: GateClient;
  readonly passSeconds: number;
  readonly maxPasses: number;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** After an outage nobody waits for the next timeout: for this long the answer is known. */
const REST_MS = 10_000;

/** Asks Sponsorgate as rarely as possible, and never fails: not knowing is an answer too. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #passes: ExpiringSet;
  #restsUntil = 0;

  constructor(options: JudgeOptions) {
    this.#options = options;
    const { passSeconds, maxPasses: maxSize, now } = options;
    this.#passes = new ExpiringSet({ ttlMs: passSeconds * 1000, maxSize, now });
  }

  async ask(user: GateUser): Promise<Verdict> {
    if (this.#passes.has(String(user.user_id))) return { kind: 'pass' };
    if (this.#options.now() < this.#restsUntil) return { kind: 'unavailable' };
    return this.#guarded(async (signal) => {
      const { status, sponsors } = await this.#options.client.getSponsors(user, { signal });
      return status === 'ok' ? this.#pass(user) : { kind: 'tasks', sponsors };
    });
  }

  /**
   * Which tasks to confirm is asked anew instead of remembered or written into the button: that survives a restart of
   * the bot, and nobody gets in by sending a button of their own making.
   */
  confirm(user: GateUser): Promise<Confirmed> {
    return this.#guarded(async (signal) => {
      const { client } = this.#options;
      const { status, sponsors } = await client.getSponsors(user, { signal });
      if (status === 'ok' || sponsors.length === 0) return this.#pass(user);
      const ids = sponsors.map((sponsor) => sponsor.ads_id);
      const body = { user_id: user.user_id, ads_ids: ids };
      const { grant_access: isGranted, results } = await client.confirmSubscriptions(body, { signal });
      if (isGranted) return this.#pass(user);
      const done = new Set(results.filter((result) => result.grant_access).map((result) => result.ads_id));
      return {
        kind: 'missing',
        sponsors: sponsors.filter((sponsor) => !done.has(sponsor.ads_id)),
        checkLater: results.some((result) => result.code === 'check_unavailable'),
      };
    });
  }

  #pass({ user_id: userId }: GateUser): { readonly kind: 'pass' } {
    this.#passes.add(String(userId));
    return { kind: 'pass' };
  }

  async #guarded<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | Unavailable> {
    const { timeoutMs, now } = this.#options;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Raced, and not only signalled: a client that does not listen must not hold the bot.
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Sponsorgate did not answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      const answer = await Promise.race([ask(ending.signal), tooLate]);
      this.#restsUntil = 0;
      return answer;
    } catch (error) {
      if (isOutage(error)) this.#restsUntil = now() + REST_MS;
      return { kind: 'unavailable', error };
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }
}

/** A request that was refused says nothing about the next one; anything else does. */
function isOutage(error: unknown): boolean {
  const { status } = (error ?? {}) as { readonly status?: unknown };
  return !(typeof status === 'number' && status >= 400 && status < 500 && status !== 429);
}
