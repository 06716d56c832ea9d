import type { Context, NextFunction } from 'grammy';
import type { GateClient } from './client.ts';
import type { TextOverride } from './texts.ts';

export interface SponsorGateOptions<C extends Context> {
  /** The client that `createClient` of `@sponsorgate/client` returns. */
  readonly client: GateClient;
  /**
   * The behaviour while Sponsorgate is unavailable. `open` (default): users get in, because a bot that works without
   * sponsors for a minute is better than one that does not work. `closed`: users are asked to come back later.
   */
  readonly onUnavailable?: 'open' | 'closed' | undefined;
  /** Whether messages in groups are gated too. Default: false. See the README before you enable it. */
  readonly groups?: boolean | undefined;
  /** The number of sponsors to show, 1 to 50. Default: the setting of your bot at Sponsorgate. */
  readonly maxSponsors?: number | undefined;
  /** Returns true for updates that pass the gate: of administrators, of paying users, of a certain command. */
  readonly skip?: ((ctx: C) => boolean | Promise<boolean>) | undefined;
  /**
   * Called when a user has pressed the button and may enter: show the next screen. Without it the list of sponsors
   * becomes a thank-you, and your other handlers get the press.
   */
  readonly onPassed?: ((ctx: C, next: NextFunction) => unknown) | undefined;
  /** Gets every error of the gate; the gate never throws. Default: writes to stderr. */
  readonly onError?: ((error: unknown, ctx: C) => void) | undefined;
  /** Your own texts. */
  readonly texts?: TextOverride | undefined;
  /** How long the gate lets a user in without a new check. Default: 300. */
  readonly passSeconds?: number | undefined;
  /** The number of such users in the cache. Default: 10 000. */
  readonly maxPasses?: number | undefined;
  /** The time limit of one check, retries included. After it Sponsorgate counts as unavailable. Default: 8000. */
  readonly timeoutMs?: number | undefined;
  /** The beginning of the button's data. Change it if your bot uses the same. */
  readonly callbackPrefix?: string | undefined;
  /** Another clock, for tests. Milliseconds. */
  readonly now?: (() => number) | undefined;
}

export const DEFAULTS = {
  onUnavailable: 'open',
  passSeconds: 300,
  maxPasses: 10_000,
  timeoutMs: 8_000,
  callbackPrefix: 'sponsorgate',
} as const;
