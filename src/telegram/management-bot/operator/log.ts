import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import { listActions, type OperatorAction } from '../../../modules/operators/index.ts';
import { Area, type BotContext } from '../bot-context.ts';
import { cursorPage, cursorsIn } from '../cursor-pages.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { PAGE_SIZE } from '../screen.ts';
import { toOverview } from './overview.ts';

/** The audit log, newest first. */
export function logArea({ db }: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('op.log', async (ctx, ...args) => {
    const { log } = ctx.texts.operator;
    const cursors = cursorsIn(args);
    const found = await listActions(db, { before: cursors.at(-1), limit: PAGE_SIZE + 1 });
    const page = cursorPage(found, cursors, 'op.log');
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
  const { amountKopecks, count, name, note, reason, reference } = details;
  const amount = amountKopecks === undefined ? undefined : formats.rubles(BigInt(amountKopecks));
  return log.line({
    at: formats.moment(at),
    operatorId,
    action: texts.shared.operator.actions[action],
    subject: texts.shared.operator.subjects[subject.kind],
    id: subject.id,
    details: [amount, count === undefined ? undefined : `× ${formats.count(count)}`, name, note, reason, reference]
      .filter((part) => part !== undefined)
      .join(' · '),
  });
}
