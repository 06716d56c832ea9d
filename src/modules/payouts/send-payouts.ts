import { addSeconds, SECOND_MS } from '../../core/clock.ts';
import { type CryptoAsset, convertToAsset } from './convert-to-asset.ts';
import type { CryptoPay, CryptoPayRefusal } from './crypto-pay.ts';
import { closeAsReturned, closeAsSent } from './decide-payout.ts';
import { canBecome, type Payout, type Quote } from './payout.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { lockNextToSend, lockPayout, needsRate, postponePayout, saveAttempt, saveRefused } from './store.ts';

/** Leaves room for three calls of at most ten seconds. After a crash another worker takes the payout when it ends. */
const LEASE_SECONDS = 45;
/** A worker that was suspended for longer than this does not send: another worker may hold the payout by then. */
const MAX_DELAY_MS = 20_000;
/** After so many calls without a reply the job stops and tries again in its next run. */
const MAX_FAILURES = 3;

interface SendDeps extends PayoutDeps {
  readonly client: CryptoPay;
  readonly asset: CryptoAsset;
}

/** Sends approved payouts and resolves those in doubt. Returns how many payouts it worked on. */
export async function sendApprovedPayouts(deps: PayoutDeps, signal?: AbortSignal): Promise<number> {
  if (deps.cryptoPay === undefined) return 0;
  const sendDeps = { ...deps, ...deps.cryptoPay };
  let taken = 0;
  let failures = 0;
  const rate = await readRate(sendDeps);
  while (signal?.aborted !== true && failures < MAX_FAILURES) {
    const attempt = await startAttempt(sendDeps, rate);
    if (attempt === undefined) break;
    taken += 1;
    const outcome = await send(sendDeps, attempt);
    if (outcome.kind === 'in_doubt') failures += 1;
    await recordOutcome(sendDeps, attempt, outcome);
  }
  return taken;
}

async function readRate({ db, clock, client, asset }: SendDeps): Promise<string | undefined> {
  if (!(await needsRate(db, clock.now()))) return undefined;
  const reply = await client.readRate(asset);
  return reply.kind === 'ok' ? reply.result : undefined;
}

interface Attempt {
  readonly payout: Payout;
  readonly quote: Quote;
  readonly number: number;
  /** When an earlier attempt got no reply. */
  readonly doubtSince: Date | null;
  readonly startedMs: number;
}

/** Takes the next payout and commits that it is being sent, before the provider is called. */
async function startAttempt({ db, clock, asset }: SendDeps, rate: string | undefined): Promise<Attempt | undefined> {
  const startedMs = performance.now();
  for (;;) {
    const outcome = await db.transaction(async (tx): Promise<Attempt | 'too_small' | undefined> => {
      const now = clock.now();
      const payout = await lockNextToSend(tx, now, rate !== undefined);
      if (payout === undefined) return undefined;
      const quote = payout.quote ?? quoteFor(payout, rate, asset);
      const leaseUntil = addSeconds(now, LEASE_SECONDS);
      if (quote === undefined) {
        const error = `no amount of ${asset} at rate ${rate}`;
        await postponePayout(tx, { payoutId: payout.id, until: leaseUntil, error });
        return 'too_small';
      }
      await saveAttempt(tx, { payoutId: payout.id, quote, now, leaseUntil });
      return { payout, quote, number: payout.attempts + 1, doubtSince: payout.doubtSince, startedMs };
    });
    if (outcome !== 'too_small') return outcome;
  }
}

function quoteFor(payout: Payout, rate: string | undefined, asset: CryptoAsset): Quote | undefined {
  const amount = rate === undefined ? undefined : convertToAsset(payout.amountKopecks, rate, asset);
  return rate === undefined || amount === undefined ? undefined : { asset, rate, amount };
}

type SendOutcome =
  | { readonly kind: 'sent'; readonly reference: string }
  | { readonly kind: 'failed' | 'try_again' | 'in_doubt'; readonly reason: string };

/**
 * Makes one attempt. When an earlier attempt is in doubt, it first asks the provider for that transfer. A repeated
 * transfer carries the same spend id, so the provider sends it once.
 */
async function send(deps: SendDeps, { payout, quote, doubtSince, startedMs }: Attempt): Promise<SendOutcome> {
  if (doubtSince !== null) {
    const earlier = await findEarlierTransfer(deps, payout);
    if (earlier !== undefined) return earlier;
  }
  if (performance.now() - startedMs > MAX_DELAY_MS) return { kind: 'in_doubt', reason: 'the worker came too late' };
  const reply = await deps.client.transfer({
    userId: Number(payout.destination),
    asset: quote.asset,
    amount: quote.amount,
    spendId: payout.spendId,
  });
  switch (reply.kind) {
    case 'ok':
      return { kind: 'sent', reference: String(reply.result.transferId) };
    case 'unknown':
      return { kind: 'in_doubt', reason: reply.reason };
    case 'refused':
      return explainRefusal(deps, payout, reply, doubtSince);
  }
}

async function explainRefusal(
  deps: SendDeps,
  payout: Payout,
  refusal: CryptoPayRefusal,
  doubtSince: Date | null,
): Promise<SendOutcome> {
  const kind = classifyRefusal(refusal, doubtSince, deps.clock.now());
  if (kind === 'in_doubt' || doubtSince !== null) {
    const earlier = await findEarlierTransfer(deps, payout);
    if (earlier !== undefined) return earlier;
  }
  return { kind, reason: refusal.name };
}

/** Asks the provider for a transfer with the payout's spend id. Returns undefined when there is none. */
async function findEarlierTransfer({ client }: SendDeps, { spendId }: Payout): Promise<SendOutcome | undefined> {
  const reply = await client.findTransfer(spendId);
  switch (reply.kind) {
    case 'ok':
      return reply.result && { kind: 'sent', reference: String(reply.result.transferId) };
    case 'refused':
      return { kind: 'in_doubt', reason: reply.name };
    case 'unknown':
      return { kind: 'in_doubt', reason: reply.reason };
  }
}

/** Stores the outcome of an attempt, unless another worker has stored a later one. */
async function recordOutcome({ db, clock }: SendDeps, attempt: Attempt, outcome: SendOutcome): Promise<void> {
  const payoutId = attempt.payout.id;
  await db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return;
    const at = clock.now();
    if (outcome.kind === 'sent') {
      // Valid however late it arrives: a later attempt may have been refused and may be waiting for its next try.
      if (!canBecome(payout.status, 'sent')) return;
      return closeAsSent(tx, { payout, reference: outcome.reference, at });
    }
    // A refusal says nothing about a later attempt of another worker.
    if (payout.status !== 'sending' || payout.attempts !== attempt.number) return;
    const { kind, reason } = outcome;
    if (kind === 'failed') return closeAsReturned(tx, { payout, status: 'failed', reason, at });
    const delay = { payoutId, until: addSeconds(at, pauseAfter(payout.attempts)), error: reason };
    return kind === 'in_doubt' ? postponePayout(tx, delay) : saveRefused(tx, delay);
  });
}

/**
 * How long an attempt without a reply may still be carried out, by the provider or by a worker that was suspended before
 * its call. Within this time a refusal of a later attempt does not prove that the earlier one failed. The service's clock
 * measures it: a jump of the sandbox's clock ends it early, and the next attempt then finds a late transfer by its spend id.
 */
export const DOUBT_SECONDS = 15 * 60;

/** The provider has seen this spend id before: the money is sent, or is being sent. */
export const SPENT = 'SPEND_ID_ALREADY_USED';

/** Refusals that concern the service and not the payout, such as an empty wallet. The payout is tried again later. */
const SERVICE_CODES: ReadonlySet<number> = new Set([401, 403, 404, 405, 429]);
const SERVICE_NAMES =
  /^(NOT_ENOUGH_COINS|INSUFFICIENT_FUNDS|METHOD_DISABLED|METHOD_NOT_ALLOWED|TRANSFERS?_DISABLED|UNAUTHORIZED|APP_.+|IP_.+|TOO_MANY_REQUESTS|FLOOD.*)$/;

export type RefusalKind =
  /** Nothing was sent and nothing will be: the money returns. */
  | 'failed'
  /** Nothing was sent; another attempt may succeed. */
  | 'try_again'
  /** An earlier attempt may still be carried out. */
  | 'in_doubt';

/** Returns what a refusal means. `doubtSince` is the time of an earlier attempt that got no reply. */
export function classifyRefusal({ code, name }: CryptoPayRefusal, doubtSince: Date | null, now: Date): RefusalKind {
  if (name === SPENT) return 'in_doubt';
  if (doubtSince !== null && now.getTime() - doubtSince.getTime() < DOUBT_SECONDS * SECOND_MS) return 'in_doubt';
  return SERVICE_CODES.has(code) || SERVICE_NAMES.test(name) ? 'try_again' : 'failed';
}

const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 10 * 60;

/** Returns the pause in seconds before the next attempt. */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts, 10));
}
