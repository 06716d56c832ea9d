import { findDepositRequest, listOpenDepositRequests } from '../../../modules/payouts/index.ts';
import { Area, type BotContext, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { cursorsIn, press, readCursorPage } from '../screen.ts';
import { ownerLine, toOverview } from './overview.ts';

/** Deposit requests, for operators who receive the money. */
export function depositsArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.deps', async (ctx, ...args) => {
    const { deposits } = ctx.texts.operator;
    const page = await readCursorPage(cursorsIn(args), 'op.deps', (after = 0, limit) =>
      listOpenDepositRequests(deps.db, { after, limit }),
    );
    await ctx.talk.show({
      text: page.items.length === 0 ? deposits.empty : deposits.title,
      rows: [
        ...page.items.map(({ id, accountId, amountKopecks }) => {
          const label = { id, accountId, amount: ctx.formats.rubles(amountKopecks) };
          return [press(deposits.line(label), 'op.dep', id)];
        }),
        page.arrows,
        [toOverview(ctx)],
      ],
    });
  });

  area.onPress('op.dep', (ctx, id) => showDeposit(deps, ctx, idIn(id)));
  return area;
}

export async function showDeposit(deps: ManagementBotDeps, ctx: BotContext, requestId: number): Promise<void> {
  const { operator } = ctx.texts;
  const { deposits } = operator;
  const request = await findDepositRequest(deps.db, requestId);
  if (request === undefined) return ctx.talk.toast(operator.gone);
  const amount = ctx.formats.rubles(request.amountKopecks);
  const isOpen = request.status === 'open';
  await ctx.talk.show({
    text: deposits.page({
      id: requestId,
      amount,
      status: ctx.texts.shared.deposits.statuses[request.status],
      owner: await ownerLine(deps, ctx, request.accountId),
      created: ctx.formats.moment(request.createdAt),
    }),
    rows: [
      ...(isOpen
        ? [
            [press(deposits.credit({ amount }), 'op.depok', requestId)],
            [
              press(deposits.otherAmount, 'op.depsum', requestId),
              press(deposits.decline, 'op.confirm', 'decline', requestId),
            ],
          ]
        : []),
      [press(operator.toAccount, 'op.a', request.accountId)],
      [press(deposits.queue, 'op.deps'), toOverview(ctx)],
    ],
  });
}
