import { addChecker, type CheckerDescription, describeCheckers } from '../../../modules/operators/index.ts';
import { type CheckerInspection, inspectChecker } from '../../add-checker.ts';
import { Area, type BotContext, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press, withNote } from '../screen.ts';
import { by, toOverview } from './overview.ts';

/** The checker bots: their state and load, and how to add one. */
export function checkersArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.checks', (ctx, number) => showCheckers(deps, ctx, pageIn(number)));
  area.onPress('op.check', (ctx, id) => showChecker(deps, ctx, idIn(id)));

  area.onPress('op.newcheck', (ctx) => ask(ctx));
  async function ask(ctx: BotContext, problem?: string): Promise<void> {
    await ctx.talk.ask('op.newcheck', [], {
      text: withNote(problem, ctx.texts.operator.checkers.ask),
      rows: [[press(ctx.texts.common.cancel, 'op.checks')]],
    });
  }
  area.onText('op.newcheck', async (ctx, text) => {
    // Deletes the message first: anyone who sees the token in the chat can take over the bot.
    await ctx.talk.forgetMessage();
    const found = await inspectChecker(deps, text);
    if (found.kind !== 'usable') return ask(ctx, checkerRefusal(ctx, found));
    await addChecker(deps, { ...by(ctx), checker: found.checker });
    await ctx.talk.expectNothing();
    return showChecker(deps, ctx, found.checker.botId);
  });
  return area;
}

function checkerRefusal({ texts }: BotContext, refusal: Exclude<CheckerInspection, { kind: 'usable' }>): string {
  const words = texts.shared.operator.checkers.refused;
  switch (refusal.kind) {
    case 'not_a_token':
      return texts.shared.orders.inputs.notAToken;
    case 'token_refused':
      return texts.shared.orders.inputs.tokenRefused;
    case 'unavailable':
      return texts.shared.refusals.telegram_unavailable ?? '';
    case 'management_bot':
      return words.managementBot(refusal.username);
    case 'customer_bot':
      return words.customerBot(refusal.username);
    case 'used_elsewhere':
      return refusal.host === undefined
        ? words.polledElsewhere(refusal.username)
        : words.webhookElsewhere(refusal.username, refusal.host);
  }
}

async function showCheckers(deps: ManagementBotDeps, ctx: BotContext, number: number): Promise<void> {
  const { checkers } = ctx.texts.operator;
  const { states } = ctx.texts.shared.operator.checkers;
  const all = await describeCheckers(deps.db);
  const page = pageOf(all.slice(number * PAGE_SIZE), number);
  await ctx.talk.expectNothing();
  await ctx.talk.show({
    text: checkers.title({ hasAny: all.length > 0 }),
    rows: [
      [press(checkers.add, 'op.newcheck')],
      ...page.items.map(({ botId, username, state, channels }) => [
        press(
          checkers.line({ username, state: states[state], channels: ctx.formats.count(channels) }),
          'op.check',
          botId,
        ),
      ]),
      arrows(page, 'op.checks'),
      [toOverview(ctx)],
    ],
  });
}

export async function findChecker(deps: ManagementBotDeps, botId: number): Promise<CheckerDescription | undefined> {
  return (await describeCheckers(deps.db)).find((checker) => checker.botId === botId);
}

export async function showChecker(deps: ManagementBotDeps, ctx: BotContext, botId: number): Promise<void> {
  const { operator, common, shared } = ctx.texts;
  const { checkers } = operator;
  const { count, moment } = ctx.formats;
  const checker = await findChecker(deps, botId);
  if (checker === undefined) return showCheckers(deps, ctx, 0);
  await ctx.talk.show({
    text: checkers.page({
      username: checker.username,
      state: shared.operator.checkers.states[checker.state],
      what: shared.operator.checkers.explained[checker.state],
      added: moment(checker.addedAt),
      channels: count(checker.channels),
      checks: count(checker.checks),
    }),
    rows: [
      [
        press(common.refresh, 'op.check', botId),
        ...(checker.state === 'removed' ? [] : [press(checkers.remove, 'op.confirm', 'checker', botId)]),
      ],
      [press(checkers.list, 'op.checks'), toOverview(ctx)],
    ],
  });
}
