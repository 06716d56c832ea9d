import type { Html } from '../../../core/html.ts';
import { claimBot } from '../../../modules/bots/index.ts';
import { failureOf } from '../../bot-api.ts';
import type { Area, BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, withNote } from '../screen.ts';
import { botScreen } from './bot-page.ts';

/** A token anywhere in the message: people forward what BotFather wrote, or copy a note too many. */
const BOT_TOKEN = /(?<![\w-])\d{5,16}:[\w-]{30,100}(?![\w-])/;

export function addByToken(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botByToken', (ctx) => askToken(ctx));
  area.onText('bot.token', async (ctx, text) => {
    const { add } = ctx.texts.publisher;
    await ctx.talk.forgetMessage();
    const token = BOT_TOKEN.exec(text)?.[0];
    if (token === undefined) return askToken(ctx, add.noToken);
    const asked = await askTelegram(deps, token);
    if (asked.kind === 'refused') return askToken(ctx, add.wrongToken);
    if (asked.kind === 'away') return askToken(ctx, add.away);
    return welcomeBot(deps, ctx, asked.username, add.added);
  });
}

function askToken(ctx: BotContext, note?: Html): Promise<void> {
  const { common, publisher } = ctx.texts;
  return ctx.talk.ask('bot.token', [], {
    text: withNote(note, publisher.add.askToken),
    rows: [[press(common.cancel, 'botAdd')]],
  });
}

type Asked =
  | { readonly kind: 'bot'; readonly username: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'away' };

/** The only thing a token is used for. It is kept nowhere. */
async function askTelegram({ api }: ManagementBotDeps, token: string): Promise<Asked> {
  try {
    const { username } = await api.as(token).getMe();
    return { kind: 'bot', username };
  } catch (error) {
    return { kind: failureOf(error).kind === 'refused' ? 'refused' : 'away' };
  }
}

/** Registers a bot that the person has shown to be theirs, and leads to its page. */
export async function welcomeBot(
  deps: ManagementBotDeps,
  ctx: BotContext,
  username: string,
  added: Html,
): Promise<void> {
  const { common, publisher } = ctx.texts;
  const outcome = await claimBot(deps.db, { accountId: ctx.person.accountId, username, at: deps.clock.now() });
  await ctx.talk.expectNothing();
  await ctx.talk.dropDraft('bot');
  if (outcome.kind === 'taken') {
    return ctx.talk.show({ text: publisher.add.taken({ username }), rows: [[press(common.back, 'bots')]] });
  }
  const note = outcome.kind === 'registered' ? added : publisher.add.alreadyYours;
  await ctx.talk.show(await botScreen(deps, ctx, outcome.bot, note));
}
