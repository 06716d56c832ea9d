import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import { listDebtors } from '../../../modules/accounts/index.ts';
import { Area, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, inPairs, PAGE_SIZE, pageOf, press } from '../screen.ts';
import { toOverview } from './overview.ts';

/** Accounts whose balance is negative, the largest debts first. */
export function debtorsArea({ db }: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('op.debts', async (ctx, number) => {
    const { debtors } = ctx.texts.operator;
    const { rubles } = ctx.formats;
    const offset = pageIn(number) * PAGE_SIZE;
    const page = pageOf(await listDebtors(db, { limit: PAGE_SIZE + 1, offset }), pageIn(number));
    const shown = page.items.map(({ accountId, name, debtKopecks, holdKopecks, isBanned }) =>
      debtors.line({ accountId, name, debt: rubles(debtKopecks), hold: rubles(holdKopecks), isBanned }),
    );
    await ctx.talk.show({
      text:
        shown.length === 0
          ? html`📉 ${ctx.texts.shared.operator.accounts.noDebtors}`
          : lines(debtors.title, EMPTY_LINE, ...shown),
      rows: [
        ...inPairs(page.items.map(({ accountId }) => press(debtors.open({ accountId }), 'op.a', accountId))),
        arrows(page, 'op.debts'),
        [toOverview(ctx)],
      ],
    });
  });
  return area;
}
