import { findUserBan } from '../../../modules/audience/index.ts';
import { Area, type BotContext, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, withNote } from '../screen.ts';
import { toOverview } from './overview.ts';

/** Bans users of publishers' bots by their Telegram id. */
export function usersArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.user', (ctx) => ask(ctx));

  async function ask(ctx: BotContext, problem?: string): Promise<void> {
    await ctx.talk.ask('op.uid', [], {
      text: withNote(problem, ctx.texts.operator.users.ask),
      rows: [[toOverview(ctx)]],
    });
  }

  area.onText('op.uid', async (ctx, text) => {
    const typed = text.trim();
    return /^[1-9]\d{0,14}$/.test(typed)
      ? showUser(deps, ctx, Number(typed))
      : ask(ctx, ctx.texts.operator.users.wrongId);
  });

  area.onPress('op.u', (ctx, id) => showUser(deps, ctx, idIn(id)));
  return area;
}

export async function showUser({ db }: ManagementBotDeps, ctx: BotContext, userId: number): Promise<void> {
  const { users } = ctx.texts.operator;
  const ban = await findUserBan(db, userId);
  await ctx.talk.expectNothing();
  await ctx.talk.show({
    text: users.page({ id: userId, ban: ban && { at: ctx.formats.moment(ban.at), reason: ban.reason } }),
    rows: [
      [
        ban === undefined
          ? press(users.ban, 'op.reason', 'user', userId)
          : press(users.unban, 'op.confirm', 'unuser', userId),
      ],
      [press(users.other, 'op.user'), toOverview(ctx)],
    ],
  });
}
