import type { Html } from '../../../core/html.ts';
import { claimBot } from '../../../modules/bots/index.ts';
import { failureOf } from '../../bot-api.ts';
import type { Area, BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, withNote } from '../screen.ts';
import { botScreen } from './bot-page.ts';

/** Finds a token anywhere in the message, because people often paste BotFather's whole message. */
const BOT_TOKEN = /(?<![\w-])\d{5,16}:[\w-]{30,100}(?![\w-])/;

export function addByToken(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botByToken', (ctx) => askToken(ctx));
  area.onText('bot.token', async (ctx, text) => {
    const { add } = ctx.texts.publisher;
    await ctx.talk.forgetMessage();
    const token = BOT_TOKEN.exec(text)?.[0];
    if (token === undefined) return askToken(ctx, add.noToken);
    const found = await identifyBot(deps, token);
    if (found.kind === 'refused') return askToken(ctx, add.wrongToken);
    if (found.kind === 'away') return askToken(ctx, add.away);
    return registerBot(deps, ctx, found.username, add.added);
  });
}

function askToken(ctx: BotContext, note?: Html): Promise<void> {
  const { common, publisher } = ctx.texts;
  return ctx.talk.ask('bot.token', [], {
    text: withNote(note, publisher.add.askToken),
    rows: [[press(common.cancel, 'botAdd')]],
  });
}

type BotLookup =
  | { readonly kind: 'bot'; readonly username: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'away' };

/** Identifies the bot. The token is used for nothing else and not stored. */
async function identifyBot({ api }: ManagementBotDeps, token: string): Promise<BotLookup> {
  try {
    const { username } = await api.as(token).getMe();
    return { kind: 'bot', username };
  } catch (error) {
    return { kind: failureOf(error).kind === 'refused' ? 'refused' : 'away' };
  }
}

/** Registers a bot whose ownership is proved, and shows its page. */
export async function registerBot(
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
