import type { GateClient } from './client.ts';
import type { GateStorage } from './storage.ts';
import type { TextOverride } from './texts.ts';
import type { GatedKind } from './updates.ts';

/** The options of the gate in every framework. `Ctx` is the framework's context. */
export interface SponsorGateOptions<Ctx> {
  /** The client that `createClient` of `@sponsorgate/client` returns. */
  readonly client: GateClient;
  /**
   * The behaviour while Sponsorgate is unavailable. `open` (default): users get in, because a bot that works without
   * sponsors for a minute is better than one that does not work. `closed`: users are asked to come back later.
   */
  readonly onUnavailable?: 'open' | 'closed' | undefined;
  /** The kinds of updates that are gated. Default: `message` and `callback_query`. */
  readonly updates?: readonly GatedKind[] | undefined;
  /** Whether messages in groups are gated too. Default: false. See the README before you enable it. */
  readonly groups?: boolean | undefined;
  /** The number of sponsors to show, 1 to 50. Default: the setting of your bot at Sponsorgate. */
  readonly maxSponsors?: number | undefined;
  /** Returns true for updates that pass the gate: of administrators, of paying users, of a certain command. */
  readonly skip?: ((ctx: Ctx) => boolean | Promise<boolean>) | undefined;
  /**
   * Called when a user has pressed the button and may enter: show the next screen. `next` calls the handlers after the
   * gate. Without it the list of sponsors becomes a thank-you, and your handlers get the update that the gate held back.
   */
  readonly onPassed?: ((ctx: Ctx, next: () => Promise<void>) => unknown) | undefined;
  /** Gets every error of the gate; the gate never throws. `ctx` is missing for the check of the token at the start. */
  readonly onError?: ((error: unknown, ctx?: Ctx) => void) | undefined;
  /** Your own texts. */
  readonly texts?: TextOverride | undefined;
  /** How long the gate lets a user in without a new check. Default: 300. */
  readonly passSeconds?: number | undefined;
  /** How long the gate keeps an update for its replay; 0 for no replay. Default: 3600. */
  readonly replaySeconds?: number | undefined;
  /** Where passes and held updates are stored. Default: the memory of the process, for `maxPasses` users. */
  readonly storage?: GateStorage | undefined;
  /** The number of users in the default storage. Default: 10 000. */
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
  updates: ['message', 'callback_query'],
  passSeconds: 300,
  replaySeconds: 3_600,
  maxPasses: 10_000,
  timeoutMs: 8_000,
  callbackPrefix: 'sponsorgate',
} as const;
