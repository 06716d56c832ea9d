import { readQueues } from '../../../modules/operators/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { type Button, press } from '../screen.ts';

/** The operator's menu with the length of each queue. */
export async function showOverview(deps: ManagementBotDeps, ctx: BotContext): Promise<void> {
  const { operator, common } = ctx.texts;
  const { menu } = operator;
  const { count } = ctx.formats;
  const queues = await readQueues(deps);
  await ctx.talk.show({
    text: operator.overview,
    rows: [
      [press(menu.moderation({ count: count(queues.orders) }), 'op.mods')],
      [
        press(menu.payouts({ count: count(queues.payouts) }), 'op.pays'),
        press(menu.deposits({ count: count(queues.deposits) }), 'op.deps'),
      ],
      [press(menu.accounts, 'op.accs'), press(operator.debtors.menu, 'op.debts'), press(menu.users, 'op.user')],
      [press(menu.beta, 'op.beta'), press(menu.contests({ count: count(queues.contests) }), 'op.cons')],
      [press(menu.figures, 'op.fig'), press(menu.broadcasts, 'op.casts')],
      [press(menu.log, 'op.log'), press(common.refresh, 'operator')],
      [press(common.home, 'home')],
    ],
  });
}

/** The button back to the operator's menu. */
export const toOverview = ({ texts }: BotContext): Button => press(texts.operator.menu.operator, 'operator');
