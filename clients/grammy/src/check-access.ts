import type { GateClient, GateSponsor, GateUser } from './client.ts';
import { ExpiringSet } from './expiring-set.ts';

/** Sponsorgate did not respond. `error` is set when this call found the outage. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly error?: unknown;
}

/** Whether the user may enter. */
export type AccessOutcome =
  | { readonly kind: 'pass' }
  | { readonly kind: 'tasks'; readonly sponsors: readonly GateSponsor[] }
  | Unavailable;

/** The result of pressing "I subscribed". */
export type ConfirmOutcome =
  | { readonly kind: 'pass' }
  | { readonly kind: 'missing'; readonly sponsors: readonly GateSponsor[]; readonly checkLater: boolean }
  | Unavailable;

export interface AccessOptions {
  readonly client: GateClient;
  readonly passSeconds: number;
  readonly maxPasses: number;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** After an outage the gate does not call Sponsorgate for this long, so that users do not wait for timeouts. */
const OUTAGE_PAUSE_MS = 10_000;

/** Calls Sponsorgate as rarely as possible. Never throws: an outage is an outcome. */
export class AccessChecker {
  readonly #options: AccessOptions;
  readonly #passes: ExpiringSet;
  #pausedUntil = 0;

  constructor(options: AccessOptions) {
    this.#options = options;
    const { passSeconds, maxPasses: maxSize, now } = options;
    this.#passes = new ExpiringSet({ ttlMs: passSeconds * 1000, maxSize, now });
  }

  async check(user: GateUser): Promise<AccessOutcome> {
    if (this.#passes.has(String(user.user_id))) return { kind: 'pass' };
    if (this.#options.now() < this.#pausedUntil) return { kind: 'unavailable' };
    return this.#guarded(async (signal) => {
      const { status, sponsors } = await this.#options.client.getSponsors(user, { signal });
      return status === 'ok' ? this.#pass(user) : { kind: 'tasks', sponsors };
    });
  }

  /**
   * Reads the tasks to confirm again instead of storing them or writing them into the button: this survives a restart of
   * the bot, and a forged button gives no access.
   */
  confirm(user: GateUser): Promise<ConfirmOutcome> {
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

  async #guarded<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T | Unavailable> {
    const { timeoutMs, now } = this.#options;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A race and not only a signal: a client that ignores the signal must not block the bot.
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Sponsorgate did not respond within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      const result = await Promise.race([call(ending.signal), tooLate]);
      this.#pausedUntil = 0;
      return result;
    } catch (error) {
      if (isOutage(error)) this.#pausedUntil = now() + OUTAGE_PAUSE_MS;
      return { kind: 'unavailable', error };
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }
}

/** A rejected request does not predict the next one; any other error does. */
function isOutage(error: unknown): boolean {
  const { status } = (error ?? {}) as { readonly status?: unknown };
  return !(typeof status === 'number' && status >= 400 && status < 500 && status !== 429);
}
