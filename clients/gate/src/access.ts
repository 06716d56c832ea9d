import type { GateClient, GateSponsor, GateUser } from './client.ts';
import type { GateRecord, GateStorage } from './storage.ts';
import { isStart, type TelegramUpdate } from './updates.ts';

/** Sponsorgate did not respond. `error` is set when this call found the outage. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly error?: unknown;
}

/** The user may enter. `held` is the update that the gate held back before. */
interface Pass {
  readonly kind: 'pass';
  readonly held?: TelegramUpdate | undefined;
}

/** Whether the user may enter. */
export type AccessOutcome = Pass | { readonly kind: 'tasks'; readonly sponsors: readonly GateSponsor[] } | Unavailable;

/** The result of pressing "I subscribed". */
export type ConfirmOutcome =
  | Pass
  | { readonly kind: 'missing'; readonly sponsors: readonly GateSponsor[]; readonly checkLater: boolean }
  | Unavailable;

export interface AccessOptions {
  readonly client: GateClient;
  readonly storage: GateStorage;
  readonly passSeconds: number;
  readonly replaySeconds: number;
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly report: (error: unknown) => void;
}

/** After an outage the gate does not call Sponsorgate for this long, so that users do not wait for timeouts. */
const OUTAGE_PAUSE_MS = 10_000;

/** Calls Sponsorgate as rarely as possible. Never throws: an outage is an outcome. */
export class AccessChecker {
  readonly #options: AccessOptions;
  #pausedUntil = 0;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  async check(user: GateUser): Promise<AccessOutcome> {
    const now = this.#options.now();
    if (((await this.#read(user.user_id)).passUntil ?? 0) > now) return { kind: 'pass' };
    if (now < this.#pausedUntil) return { kind: 'unavailable' };
    return this.#guarded(async (signal) => {
      const { status, sponsors } = await this.#options.client.getSponsors(user, { signal });
      return status === 'ok' ? this.#pass(user.user_id) : { kind: 'tasks', sponsors };
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
      if (status === 'ok' || sponsors.length === 0) return this.#pass(user.user_id);
      const ids = sponsors.map((sponsor) => sponsor.ads_id);
      const body = { user_id: user.user_id, ads_ids: ids };
      const { grant_access: isGranted, results } = await client.confirmSubscriptions(body, { signal });
      if (isGranted) return this.#pass(user.user_id);
      const done = new Set(results.filter((result) => result.grant_access).map((result) => result.ads_id));
      return {
        kind: 'missing',
        sponsors: sponsors.filter((sponsor) => !done.has(sponsor.ads_id)),
        checkLater: results.some((result) => result.code === 'check_unavailable'),
      };
    });
  }

  /** Stores the update until the user has passed. A `/start` stays: it may contain the referral. */
  async hold(userId: number, update: TelegramUpdate): Promise<void> {
    const { replaySeconds, now } = this.#options;
    if (replaySeconds <= 0) return;
    const held = await this.#readHeld(userId);
    if (held !== undefined && isStart(held) && !isStart(update)) return;
    await this.#write(userId, { held: { update, until: now() + replaySeconds * 1000 } });
  }

  /** Returns the held update of a user whom an outage lets in, and forgets it. */
  async takeHeld(userId: number): Promise<TelegramUpdate | undefined> {
    const held = await this.#readHeld(userId);
    if (held === undefined) return undefined;
    try {
      await this.#options.storage.delete(String(userId));
    } catch (error) {
      this.#options.report(error);
    }
    return held;
  }

  async #readHeld(userId: number): Promise<TelegramUpdate | undefined> {
    const { held } = await this.#read(userId);
    return held !== undefined && held.until > this.#options.now() ? held.update : undefined;
  }

  /** The record of the pass replaces the held update. */
  async #pass(userId: number): Promise<Pass> {
    const held = await this.#readHeld(userId);
    await this.#write(userId, { passUntil: this.#options.now() + this.#options.passSeconds * 1000 });
    return { kind: 'pass', held };
  }

  /** A storage that fails costs more calls of Sponsorgate, and no user. */
  async #read(userId: number): Promise<GateRecord> {
    try {
      return (await this.#options.storage.read(String(userId))) ?? {};
    } catch (error) {
      this.#options.report(error);
      return {};
    }
  }

  async #write(userId: number, record: GateRecord): Promise<void> {
    try {
      await this.#options.storage.write(String(userId), record);
    } catch (error) {
      this.#options.report(error);
    }
  }

  async #guarded<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T | Unavailable> {
    const { timeoutMs, now } = this.#options;
    try {
      const result = await within(timeoutMs, call);
      this.#pausedUntil = 0;
      return result;
    } catch (error) {
      if (isOutage(error)) this.#pausedUntil = now() + OUTAGE_PAUSE_MS;
      return { kind: 'unavailable', error };
    }
  }
}

/** Ends the call after the time limit. A race and not only a signal: a client that ignores the signal must not block the bot. */
export async function within<T>(timeoutMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Sponsorgate did not respond within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([call(ending.signal), tooLate]);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** Returns the HTTP status of a client's error; 0 for others. */
export function statusOf(error: unknown): number {
  const { status } = (error ?? {}) as { readonly status?: unknown };
  return typeof status === 'number' ? status : 0;
}

/** A rejected request does not predict the next one; any other error does. */
function isOutage(error: unknown): boolean {
  const status = statusOf(error);
  return !(status >= 400 && status < 500 && status !== 429);
}
