import { clip, EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import {
  approvePayout,
  percentOf,
  REVIEW_DAYS,
  reviewEarnings,
  WAITING_PAYOUTS,
} from '../../../modules/operators/index.ts';
import { findPayout, isPayoutClosed, listPayoutsIn, type Payout } from '../../../modules/payouts/index.ts';
import { payoutStatus } from '../balance/payouts.ts';
import { Area, type BotContext, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { type Button, cursorsIn, press, readCursorPage } from '../screen.ts';
import { caseButtons, openCasesOf, riskLines } from './cases.ts';
import { by, decisionToast, ownerLine, toOverview } from './overview.ts';

/** Payouts that wait for approval or to be marked as sent. */
export function payoutsArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.pays', async (ctx, ...args) => {
    const { payouts } = ctx.texts.operator;
    const page = await readCursorPage(cursorsIn(args), 'op.pays', (after = 0, limit) =>
      listPayoutsIn(deps.db, { statuses: WAITING_PAYOUTS, after, limit }),
    );
    await ctx.talk.show({
      text: page.items.length === 0 ? payouts.empty : payouts.title,
      rows: [
        ...page.items.map(({ id, amountKopecks, status }) => {
          const label = { id, amount: ctx.formats.rubles(amountKopecks), isApproved: status === 'approved' };
          return [press(payouts.line(label), 'op.pay', id)];
        }),
        page.arrows,
        [toOverview(ctx)],
      ],
    });
  });

  area.onPress('op.pay', (ctx, id) => showPayout(deps, ctx, idIn(id)));

  // The operator approves although cases are undecided. The button names the newest case that was on the screen.
  area.onPress('op.payseen', async (ctx, id, seen) => {
    const [payoutId, caseId] = [idIn(id), idIn(seen)];
    const payout = await findPayout(deps.db, payoutId);
    if (payout === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
    const cases = await openCasesOf(deps, payout.accountId);
    const { ofPayout } = ctx.texts.operator.cases;
    const { yes, no } = ctx.texts.common;
    await ctx.talk.show({
      text: lines(
        ofPayout.confirm({
          id: payoutId,
          amount: ctx.formats.rubles(payout.amountKopecks),
          count: ctx.formats.count(cases.length),
        }),
        EMPTY_LINE,
        await riskLines(deps, ctx, { accountId: payout.accountId, cases }),
      ),
      rows: [[press(yes, 'op.payyes', payoutId, caseId), press(no, 'op.pay', payoutId)], ...caseButtons(ctx, cases)],
    });
  });
  area.onPress('op.payyes', async (ctx, id, seen) => {
    const [payoutId, seenCase] = [idIn(id), idIn(seen)];
    const outcome = await approvePayout(deps, { ...by(ctx), payoutId, seenCase });
    const { operator, payouts: words } = ctx.texts.shared;
    ctx.talk.toast(decisionToast(ctx, outcome, operator.payouts.approved, words.statuses));
    if (outcome.kind !== 'not_found') await showPayout(deps, ctx, payoutId);
  });
  return area;
}

export async function showPayout(deps: ManagementBotDeps, ctx: BotContext, payoutId: number): Promise<void> {
  const { operator, shared } = ctx.texts;
  const payout = await findPayout(deps.db, payoutId);
  if (payout === undefined) return ctx.talk.toast(operator.gone);
  const page = operator.payouts.page({
    id: payout.id,
    amount: ctx.formats.rubles(payout.amountKopecks),
    method: shared.payouts.methods[payout.method],
    destination: payout.destination,
    status: payoutStatus(ctx, payout),
    owner: await ownerLine(deps, ctx, payout.accountId),
    created: ctx.formats.moment(payout.createdAt),
    error: payout.lastError,
    reason: payout.reason,
    reference: payout.reference,
  });
  // The review helps the operator decide; a closed payout needs none.
  const review = isPayoutClosed(payout.status) ? undefined : await reviewLines(deps, ctx, payout.accountId);
  const frozen =
    payout.frozenAt !== null
      ? html`🧊 ${shared.operator.payouts.frozenBecause(clip(payout.freezeReason ?? '', 300))}`
      : payout.isAccountFrozen
        ? html`🧊 ${shared.operator.payouts.ownerFrozen}`
        : undefined;
  const cases = review === undefined ? [] : await openCasesOf(deps, payout.accountId);
  const risk = review && (await riskLines(deps, ctx, { accountId: payout.accountId, cases }));
  await ctx.talk.show({
    text: review === undefined ? page : lines(page, frozen, EMPTY_LINE, review, EMPTY_LINE, risk),
    rows: [
      decisions(ctx, payout, cases),
      ...caseButtons(ctx, cases),
      freezing(ctx, payout),
      [press(operator.toAccount, 'op.a', payout.accountId), press(ctx.texts.common.refresh, 'op.pay', payout.id)],
      [press(operator.payouts.queue, 'op.pays'), toOverview(ctx)],
    ],
  });
}

function freezing({ texts }: BotContext, { id, status, frozenAt }: Payout): Button[] {
  if (status !== 'requested' && status !== 'approved') return [];
  const { freeze } = texts.operator;
  return [
    frozenAt === null
      ? press(freeze.payout, 'op.reason', 'freezepay', id)
      : press(freeze.liftPayout, 'op.confirm', 'unfreezepay', id),
  ];
}

/** Returns the buttons that fit the status. The use cases check it again. */
function decisions({ texts }: BotContext, { id, status, method }: Payout, cases: readonly { id: number }[]): Button[] {
  const { payouts, cases: words } = texts.operator;
  const newest = Math.max(0, ...cases.map((one) => one.id));
  const reject = press(payouts.reject, 'op.reason', 'payout', id);
  switch (status) {
    case 'requested':
      return [
        newest === 0
          ? press(payouts.approve, 'op.confirm', 'approve', id)
          : press(words.ofPayout.approve, 'op.payseen', id, newest),
        reject,
      ];
    case 'approved':
      return method === 'manual' ? [press(payouts.markSent, 'op.reason', 'sent', id), reject] : [reject];
    case 'sending':
    case 'sent':
    case 'rejected':
    case 'failed':
      return [];
  }
}

/** Returns the sources of an account's earnings, for the payout screen. */
async function reviewLines(deps: ManagementBotDeps, ctx: BotContext, accountId: number): Promise<Html> {
  const { rubles, count, percent } = ctx.formats;
  const review = await reviewEarnings(deps, accountId);
  const share = (value: number | null): string | undefined => (value === null ? undefined : percent(value));
  return ctx.texts.operator.review({
    days: REVIEW_DAYS,
    balance: rubles(review.funds.availableKopecks),
    unsettled: rubles(review.reversibleKopecks),
    unsettledShare: share(review.unsettledPercent),
    counted: count(review.counted),
    reversalShare: share(review.reversalPercent),
    advertisers: count(review.advertisers),
    counterparties: review.counterparties.map(({ accountId: id, name, subscriptions, rewardKopecks, isConnected }) => ({
      accountId: id,
      name,
      amount: rubles(rewardKopecks),
      share: percent(percentOf(rewardKopecks, review.rewardKopecks) ?? 0),
      count: count(subscriptions),
      isConnected,
    })),
  });
}
