import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { closeAsReturned, closeAsSent, type RecordEvents } from './close-payout.ts';
import { type CryptoAsset, convertToAsset } from './convert.ts';
import type { CryptoPay } from './crypto-pay.ts';
import { canBecome, type Payout, type Quote } from './payout.ts';
import { judgeRefusal, pauseAfter, type Refusal } from './sending.ts';
import { lockNextToSend, lockPayout, needsRate, putOff, saveAttempt, saveRefused } from './store.ts';

export interface SendDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly recordEvents: RecordEvents;
  readonly cryptoPay: CryptoPay;
  readonly asset: CryptoAsset;
}

/** Three calls of at most ten seconds fit in; a killed worker's payout is taken up again after this long. */
const LEASE_SECONDS = 45;
/** A worker that slept longer than this since it claimed a payout leaves it to whoever claims it next. */
const FRESH_MS = 20_000;
/** A provider that does not answer is asked again in the next sweep. */
const MAX_FAILURES = 3;

/** Sends what is approved and finds out about what is in doubt. Answers how many payouts it took in hand. */
export async function sendApproved(deps: SendDeps, signal?: AbortSignal): Promise<number> {
  let taken = 0;
  let failures = 0;
  const rate = await readRate(deps);
  while (signal?.aborted !== true && failures < MAX_FAILURES) {
    const claim = await claimNext(deps, rate);
    if (claim === undefined) break;
    taken += 1;
    const answer = await send(deps, claim);
    if (answer.kind === 'unclear') failures += 1;
    await record(deps, claim, answer);
  }
  return taken;
}

async function readRate({ db, clock, cryptoPay, asset }: SendDeps): Promise<string | undefined> {
  if (!(await needsRate(db, clock.now()))) return undefined;
  const answer = await cryptoPay.readRate(asset);
  return answer.kind === 'ok' ? answer.result : undefined;
}

interface Claim {
  readonly payout: Payout;
  readonly quote: Quote;
  readonly attempt: number;
  /** When an earlier attempt went without an answer. */
  readonly earlierDoubt: Date | null;
  readonly claimedAtMs: number;
}

/** Records that the payout is being sent, before anybody is told to send it. */
async function claimNext({ db, clock, asset }: SendDeps, rate: string | undefined): Promise<Claim | undefined> {
  const claimedAtMs = performance.now();
  for (;;) {
    const outcome = await db.transaction(async (tx): Promise<Claim | 'too_small' | undefined> => {
      const now = clock.now();
      const payout = await lockNextToSend(tx, now, rate !== undefined);
      if (payout === undefined) return undefined;
      const quote = payout.quote ?? quoteFor(payout, rate, asset);
      const leaseUntil = addSeconds(now, LEASE_SECONDS);
      if (quote === undefined) {
        await putOff(tx, { payoutId: payout.id, until: leaseUntil, error: `no amount of ${asset} at rate ${rate}` });
        return 'too_small';
      }
      await saveAttempt(tx, { payoutId: payout.id, quote, now, leaseUntil });
      return { payout, quote, attempt: payout.attempts + 1, earlierDoubt: payout.doubtSince, claimedAtMs };
    });
    if (outcome !== 'too_small') return outcome;
  }
}

function quoteFor(payout: Payout, rate: string | undefined, asset: CryptoAsset): Quote | undefined {
  const amount = rate === undefined ? undefined : convertToAsset(payout.amountKopecks, rate, asset);
  return rate === undefined || amount === undefined ? undefined : { asset, rate, amount };
}

type Answer =
  | { readonly kind: 'sent'; readonly reference: string }
  | { readonly kind: 'failed' | 'try_again' | 'unclear'; readonly reason: string };

/** One attempt. With an earlier one in doubt it looks before it repeats, and the repeat carries the same spend id. */
async function send(deps: SendDeps, { payout, quote, earlierDoubt, claimedAtMs }: Claim): Promise<Answer> {
  if (earlierDoubt !== null) {
    const found = await lookUp(deps, payout);
    if (found.kind !== 'none') return found;
  }
  if (performance.now() - claimedAtMs > FRESH_MS) return { kind: 'unclear', reason: 'the worker came too late' };
  const answer = await deps.cryptoPay.transfer({
    userId: Number(payout.destination),
    asset: quote.asset,
    amount: quote.amount,
    spendId: payout.spendId,
  });
  switch (answer.kind) {
    case 'ok':
      return { kind: 'sent', reference: String(answer.result.transferId) };
    case 'unknown':
      return { kind: 'unclear', reason: answer.reason };
    case 'refused':
      return explainRefusal(deps, payout, answer, earlierDoubt);
  }
}

async function explainRefusal(
  deps: SendDeps,
  payout: Payout,
  refusal: Refusal,
  earlierDoubt: Date | null,
): Promise<Answer> {
  const verdict = judgeRefusal(refusal, earlierDoubt, deps.clock.now());
  if (verdict === 'in_doubt' || earlierDoubt !== null) {
    const found = await lookUp(deps, payout);
    if (found.kind !== 'none') return found;
  }
  return { kind: verdict === 'in_doubt' ? 'unclear' : verdict, reason: refusal.name };
}

async function lookUp({ cryptoPay }: SendDeps, { spendId }: Payout): Promise<Answer | { readonly kind: 'none' }> {
  const answer = await cryptoPay.findTransfer(spendId);
  switch (answer.kind) {
    case 'ok':
      return answer.result === undefined
        ? { kind: 'none' }
        : { kind: 'sent', reference: String(answer.result.transferId) };
    case 'refused':
      return { kind: 'unclear', reason: answer.name };
    case 'unknown':
      return { kind: 'unclear', reason: answer.reason };
  }
}

/** Writes down what was found out. Somebody else may have found out first; then there is nothing left to write. */
async function record({ db, clock, recordEvents }: SendDeps, claim: Claim, answer: Answer): Promise<void> {
  const payoutId = claim.payout.id;
  await db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return;
    const at = clock.now();
    if (answer.kind === 'sent') {
      // However late this is heard: a later attempt may have been refused meanwhile, and then it waits for another.
      if (!canBecome(payout.status, 'sent')) return;
      return closeAsSent(tx, recordEvents, { payout, reference: answer.reference, at });
    }
    // A refusal that comes so late that somebody else is trying again says nothing about that other attempt.
    if (payout.status !== 'sending' || payout.attempts !== claim.attempt) return;
    switch (answer.kind) {
      case 'failed':
        return closeAsReturned(tx, { payout, status: 'failed', reason: answer.reason, at });
      case 'try_again':
      case 'unclear': {
        const delay = { payoutId, until: addSeconds(at, pauseAfter(payout.attempts)), error: answer.reason };
        return answer.kind === 'unclear' ? putOff(tx, delay) : saveRefused(tx, delay);
      }
    }
  });
}
