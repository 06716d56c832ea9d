import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import { findPayout, listPayouts, type Payout, type PayoutStatus } from '../../../modules/payouts/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { cursorsIn, press, readCursorPage } from '../screen.ts';
import { toBalance } from './balance-screen.ts';

const MARKS: Readonly<Record<PayoutStatus, string>> = {
  requested: '🕓',
  approved: '👍',
  sending: '👍',
  sent: '✅',
  rejected: '🚫',
  failed: '⚠️',
};

export function payoutStatus({ texts }: BotContext, { status, method }: Pick<Payout, 'status' | 'method'>): string {
  const { statuses, approvedManual } = texts.shared.payouts;
  return `${MARKS[status]} ${status === 'approved' && method === 'manual' ? approvedManual : statuses[status]}`;
}

/** Shows the person's payouts, newest first. */
export async function showPayouts({ db }: ManagementBotDeps, ctx: BotContext, args: readonly string[]): Promise<void> {
  const { balance, common } = ctx.texts;
  const { formats } = ctx;
  const { accountId } = ctx.person;
  const cursors = cursorsIn(args);
  const last = cursors.length === 0 ? undefined : await findPayout(db, cursors.at(-1) ?? 0);
  // A forged cursor of another account's payout leads to the first page.
  const after = last?.accountId === accountId ? last : undefined;
  const page = await readCursorPage(after === undefined ? [] : cursors, 'bal.outs', (_, limit) =>
    listPayouts(db, { accountId, limit, after }),
  );
  const shown = page.items.map((payout) =>
    balance.payoutLine({
      id: payout.id,
      amount: formats.rubles(payout.amountKopecks),
      at: formats.moment(payout.createdAt),
      status: payoutStatus(ctx, payout),
      reason: payout.reason,
      reference: payout.reference,
    }),
  );
  await ctx.talk.show({
    text: lines(balance.payoutsTitle, EMPTY_LINE, ...(shown.length === 0 ? [html`${common.nothing}`] : shown)),
    rows: [page.arrows, [press(balance.withdraw, 'bal.out'), toBalance(ctx)]],
  });
}
