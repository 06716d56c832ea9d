import type { Context, NextFunction } from 'grammy';
import type { GateClient } from './client.ts';
import type { TextOverride } from './texts.ts';

export interface SponsorGateOptions<C extends Context> {
  /** What `createClient` of `@sponsorgate/client` answers. */
  readonly client: GateClient;
  /**
   * What happens while Sponsorgate cannot be asked. `open` (default): users come in, since a bot that works without
   * sponsors for a minute is better than one that does not work. `closed`: they are asked to come back later.
   */
  readonly onUnavailable?: 'open' | 'closed' | undefined;
  /** Whether messages in groups are gated too. Off unless set; see the README before you switch it on. */
  readonly groups?: boolean | undefined;
  /** How many sponsors to show, 1 to 50; your bot's own setting at Sponsorgate unless set. */
  readonly maxSponsors?: number | undefined;
  /** Whom or what not to gate: administrators, paying users, a certain command. */
  readonly skip?: ((ctx: C) => boolean | Promise<boolean>) | undefined;
  /**
   * Called when a user has pressed the button and is in: show what comes next. Without it the list of sponsors turns
   * into a thank-you, and the press goes on to your other handlers.
   */
  readonly onPassed?: ((ctx: C, next: NextFunction) => unknown) | undefined;
  /** Told of everything that goes wrong here; nothing is thrown into your bot. Written to stderr unless set. */
  readonly onError?: ((error: unknown, ctx: C) => void) | undefined;
  /** Your own words. */
  readonly texts?: TextOverride | undefined;
  /** How long a user who may enter is not asked about again. 300 unless set. */
  readonly passSeconds?: number | undefined;
  /** How many such users are remembered. 10 000 unless set. */
  readonly maxPasses?: number | undefined;
  /** How long Sponsorgate may take over one question, retries included, before it counts as unavailable. 8000 unless set. */
  readonly timeoutMs?: number | undefined;
  /** What the data of our button begins with; change it if your bot uses the same. */
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
