import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { Kopecks } from '../../../core/money.ts';
import { type HistoryEntry, listHistory } from '../../../modules/statistics/index.ts';
import type { SharedTexts } from '../../../texts/index.ts';
import { Area, type BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { cursorArrows, cursorsIn, PAGE_SIZE } from '../screen.ts';
import { showBalance, toBalance } from './balance-screen.ts';
import { ownCasesArea } from './cases.ts';
import { contestsArea } from './contests.ts';
import { depositArea } from './deposit.ts';
import { showPayouts } from './payouts.ts';
import { withdrawArea } from './withdraw.ts';

/** Balance, history, payouts, withdrawals, deposits and contests of a person. */
export function balanceArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('balance', (ctx) => showBalance(deps, ctx));
  area.onPress('bal.hist', (ctx, ...way) => showHistory(deps, ctx, way));
  area.onPress('bal.outs', (ctx, ...way) => showPayouts(deps, ctx, way));
  area.use(withdrawArea(deps), depositArea(deps), contestsArea(deps), ownCasesArea(deps));
  return area;
}

/** Shows the person's transfers, newest first. */
async function showHistory({ db }: ManagementBotDeps, ctx: BotContext, args: readonly string[]): Promise<void> {
  const { balance, common } = ctx.texts;
  const { accountId } = ctx.person;
  const cursors = cursorsIn(args);
  const { entries, next } = await listHistory(db, { accountId, limit: PAGE_SIZE, before: cursors.at(-1) });
  await ctx.talk.show({
    text: lines(
      balance.historyTitle,
      EMPTY_LINE,
      ...(entries.length === 0 ? [html`${common.nothing}`] : entries.map((entry) => historyLine(ctx, entry))),
    ),
    rows: [cursorArrows(cursors, next ?? undefined, 'bal.hist'), [toBalance(ctx)]],
  });
}

function historyLine({ texts, formats }: BotContext, entry: HistoryEntry) {
  const { balance } = texts;
  // A transfer that changes only the hold is marked; a release counts in the available balance.
  const isHoldOnly = entry.amountKopecks === 0n;
  const amount = signed(formats.rubles, isHoldOnly ? entry.holdKopecks : entry.amountKopecks);
  return lines(
    html`${formats.moment(entry.at)} · <b>${amount}</b>${isHoldOnly ? balance.inHold : ''}`,
    html`${[texts.shared.transfers.kinds[entry.kind], ...subjectsOf(texts.shared.transfers, entry)].join(', ')}`,
    EMPTY_LINE,
  );
}

function subjectsOf(transfers: SharedTexts['transfers'], entry: HistoryEntry): string[] {
  const { orderId, botId, payoutId, contestId, place } = entry;
  return [
    ...(orderId === null ? [] : [transfers.order(orderId)]),
    ...(botId === null ? [] : [transfers.bot(botId)]),
    ...(payoutId === null ? [] : [transfers.payout(payoutId)]),
    ...(contestId === null ? [] : [transfers.contest(contestId, place ?? 0)]),
  ];
}

const signed = (rubles: (kopecks: Kopecks) => string, kopecks: Kopecks): string =>
  kopecks > 0n ? `+${rubles(kopecks)}` : rubles(kopecks);
