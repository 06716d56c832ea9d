import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import { verifyLedger } from '../../../modules/ledger/index.ts';
import { listActions, type OperatorAction } from '../../../modules/operators/index.ts';
import { type PlatformFigures, readPlatform } from '../../../modules/statistics/index.ts';
import { Area, type BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { cursorsIn, press, readCursorPage } from '../screen.ts';
import { toOverview } from './overview.ts';

const PERIODS = ['last7Days', 'last30Days', 'allTime'] as const;
const SHOWN_FAULTS = 10;

/** Platform figures and the ledger check. */
export function figuresArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.fig', async (ctx) => {
    const { figures } = ctx.texts.operator;
    const platform = await readPlatform(deps);
    await ctx.talk.show({
      text: lines(figures.title, EMPTY_LINE, ...PERIODS.map((period) => block(ctx, period, platform[period]))),
      rows: [[press(figures.books, 'op.books'), press(ctx.texts.common.refresh, 'op.fig')], [toOverview(ctx)]],
    });
  });

  area.onPress('op.books', async (ctx) => {
    const { figures } = ctx.texts.operator;
    const { balanced, accounts, faults } = await verifyLedger(deps.reports);
    await ctx.talk.show({
      text: balanced
        ? html`⚖️ ${ctx.texts.shared.operator.ledger.balanced(ctx.formats.count(accounts.length))}`
        : figures.faults({ count: ctx.formats.count(faults.length), faults: faults.slice(0, SHOWN_FAULTS) }),
      rows: [[press(ctx.texts.operator.menu.figures, 'op.fig'), toOverview(ctx)]],
    });
  });
  return area;
}

function block({ texts, formats }: BotContext, period: (typeof PERIODS)[number], figures: PlatformFigures) {
  const { count, rubles } = formats;
  return texts.operator.figures.block({
    period: texts.shared.operator.periods[period],
    subscriptions: count(figures.subscriptions),
    reversals: count(figures.reversals),
    turnover: rubles(figures.turnoverKopecks),
    revenue: rubles(figures.revenueKopecks),
    margin: rubles(figures.turnoverKopecks - figures.revenueKopecks),
    payouts: rubles(figures.payoutsKopecks),
    bots: count(figures.activeBots),
    orders: count(figures.activeOrders),
    users: count(figures.uniqueUsers),
  });
}

/** The audit log, newest first. */
export function logArea({ db }: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('op.log', async (ctx, ...args) => {
    const { log } = ctx.texts.operator;
    const page = await readCursorPage(cursorsIn(args), 'op.log', (before, limit) => listActions(db, { before, limit }));
    const shown = page.items.map((action) => actionLine(ctx, action));
    await ctx.talk.show({
      text: lines(log.title, EMPTY_LINE, ...(shown.length === 0 ? [html`${ctx.texts.common.nothing}`] : shown)),
      rows: [page.arrows, [toOverview(ctx)]],
    });
  });
  return area;
}

function actionLine({ texts, formats }: BotContext, { at, operatorId, action, subject, details }: OperatorAction) {
  const { log } = texts.operator;
  const { amountKopecks, caseIds, count, name, note, reason, reference } = details;
  const seen = caseIds && `${texts.shared.operator.subjects.case} № ${caseIds.join(', ')}`;
  const amount = amountKopecks === undefined ? undefined : formats.rubles(BigInt(amountKopecks));
  return log.line({
    at: formats.moment(at),
    operatorId,
    action: texts.shared.operator.actions[action],
    subject: texts.shared.operator.subjects[subject.kind],
    id: subject.id,
    details: [
      amount,
      count === undefined ? undefined : `× ${formats.count(count)}`,
      name,
      note,
      reason,
      reference,
      seen,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  });
}
