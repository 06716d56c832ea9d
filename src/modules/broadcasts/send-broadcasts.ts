import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { listRecipients, type Recipient } from '../accounts/index.ts';
import { claimBroadcast, putOff, recordPosted, type Sending, saveFinished } from './sending-store.ts';

/** Hands one message to Telegram. */
export type Post = (telegramUserId: number, text: string) => Promise<PostOutcome>;

type PostOutcome =
  | { readonly kind: 'sent' }
  /** This person cannot be written to. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'flood'; readonly retryAfterSeconds: number }
  /** Nobody knows whether it arrived. */
  | { readonly kind: 'unreachable' };

export interface SendBroadcastsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly post: Post;
}

/** Telegram allows about 30 messages a second over all; the rest is left to those who press buttons meanwhile. */
const PER_SECOND = 20;
/** A job that ran for longer would be taken for dead; the next run goes on where this one ended. */
const RUN_MS = 45_000;
/** Far longer than one message can take; a sender that is silent for so long is followed by another. */
const LEASE_SECONDS = 30;
const RETRY_SECONDS = 15;
/** Somebody whose message is never answered must not keep it from all who come after. */
const MAX_ATTEMPTS = 5;
const BATCH = 100;

/** The job: sends what waits, at most 20 a second, one message after the other. Answers how many it sent. */
export async function sendBroadcasts(deps: SendBroadcastsDeps, signal: AbortSignal): Promise<number> {
  const run = { sender: randomUUID(), endsAtMs: performance.now() + RUN_MS, signal, turn: createTurns(signal) };
  let sent = 0;
  while (goesOn(run)) {
    const now = deps.clock.now();
    const sending = await claimBroadcast(deps.db, {
      sender: run.sender,
      now,
      leaseUntil: addSeconds(now, LEASE_SECONDS),
    });
    if (sending === undefined) break;
    const done = await sendOne(deps, run, sending);
    sent += done.sent;
    // Patience that Telegram asks for holds for the other broadcasts too.
    if (done.end === 'put_off') break;
  }
  return sent;
}

interface Run {
  readonly sender: string;
  readonly endsAtMs: number;
  readonly signal: AbortSignal;
  turn(): Promise<void>;
}

const goesOn = ({ signal, endsAtMs }: Run): boolean => !signal.aborted && performance.now() < endsAtMs;

interface Done {
  readonly sent: number;
  readonly end: 'finished' | 'put_off' | 'taken_away';
}

async function sendOne({ db, clock, post }: SendBroadcastsDeps, run: Run, sending: Sending): Promise<Done> {
  let { lastAccountId: after, attempts } = sending;
  let sent = 0;
  for (;;) {
    const recipients = await listRecipients(db, { after, openedBy: sending.createdAt, limit: BATCH });
    if (recipients.length === 0) {
      await saveFinished(db, sending, clock.now());
      return { sent, end: 'finished' };
    }
    for (const recipient of recipients) {
      await run.turn();
      if (!goesOn(run)) {
        await putOff(db, sending, { until: clock.now(), attempts });
        return { sent, end: 'put_off' };
      }
      const outcome = await postTo(post, recipient, sending);
      const waitSeconds = patienceAfter(outcome, attempts);
      if (waitSeconds !== undefined) {
        if (outcome.kind === 'unreachable') attempts += 1;
        await putOff(db, sending, { until: addSeconds(clock.now(), waitSeconds), attempts });
        return { sent, end: 'put_off' };
      }
      attempts = 0;
      after = recipient.accountId;
      const isSent = outcome.kind === 'sent';
      if (isSent) sent += 1;
      const leaseUntil = addSeconds(clock.now(), LEASE_SECONDS);
      const isOurs = await recordPosted(db, sending, { accountId: after, isSent, leaseUntil });
      if (!isOurs) return { sent, end: 'taken_away' };
    }
  }
}

const postTo = (post: Post, { telegramUserId, language }: Recipient, { texts }: Sending): Promise<PostOutcome> =>
  post(telegramUserId, texts[language]);

/** How long nothing may be sent; nothing when this message is done with, delivered or not. */
function patienceAfter(outcome: PostOutcome, attempts: number): number | undefined {
  switch (outcome.kind) {
    case 'sent':
    case 'refused':
      return undefined;
    case 'flood':
      return outcome.retryAfterSeconds;
    case 'unreachable':
      return attempts + 1 < MAX_ATTEMPTS ? RETRY_SECONDS : undefined;
  }
}

/** Lets a message through when its time has come, so that no second sees more than it may. */
function createTurns(signal: AbortSignal): () => Promise<void> {
  let nextAtMs = 0;
  return async () => {
    const now = performance.now();
    const waitMs = Math.max(0, nextAtMs - now);
    nextAtMs = Math.max(nextAtMs, now) + 1000 / PER_SECOND;
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  };
}
