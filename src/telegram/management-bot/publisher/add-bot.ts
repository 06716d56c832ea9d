import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import { clip, type Html, html, lines } from '../../../core/html.ts';
import { botTokenIn, claimBot } from '../../../modules/bots/index.ts';
import { identifyBot } from '../../chat-access.ts';
import type { Area, BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { press, withNote } from '../screen.ts';
import { botScreen } from './bot-page.ts';

export function addByToken(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botByToken', (ctx) => askToken(ctx));
  area.onText('bot.token', async (ctx, text) => {
    const { add } = ctx.texts.publisher;
    await ctx.talk.forgetMessage();
    const token = botTokenIn(text);
    if (token === undefined) return askToken(ctx, add.noToken);
    // The token is used for nothing else and not stored.
    const found = await identifyBot(deps.api, token);
    if (found.kind === 'refused') return askToken(ctx, add.wrongToken);
    if (found.kind === 'unavailable') return askToken(ctx, add.away);
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

/** Registers a bot whose ownership is proved, and shows its page. */
async function registerBot(deps: ManagementBotDeps, ctx: BotContext, username: string, added: Html): Promise<void> {
  const { common, publisher } = ctx.texts;
  const outcome = await claimBot(deps.db, { accountId: ctx.person.accountId, username, at: deps.clock.now() });
  await ctx.talk.expectNothing();
  await ctx.talk.dropDraft('bot');
  if (outcome.kind === 'taken') {
    const text = lines(publisher.add.taken({ username }), ctx.support === undefined ? undefined : html`${ctx.support}`);
    return ctx.talk.show({ text, rows: [[press(common.back, 'bots')]] });
  }
  const note = outcome.kind === 'registered' ? added : publisher.add.alreadyYours;
  await ctx.talk.show(await botScreen(deps, ctx, outcome.bot, note));
}

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 6;

const codeDraft = wizardDraft('bot', Type.Object({ code: Type.String({ pattern: `^SG-[${ALPHABET}]{6}$` }) }));

/**
 * Proves ownership without the token: the person adds a code to the bot's name and forwards a message of the bot.
 * Decision 0031 says why the name and not the text.
 */
export function addByForward(area: Area, deps: ManagementBotDeps): void {
  // Keeps an issued code: the bot's name may already contain it.
  area.onPress('botByName', (ctx) => askForward(ctx, codeDraft.find(ctx)?.code ?? newCode()));
  area.onPress('botNewCode', (ctx) => askForward(ctx, newCode()));
  area.onMessage('bot.name', async (ctx) => {
    const { add } = ctx.texts.publisher;
    const code = codeDraft.find(ctx)?.code;
    if (code === undefined) return askForward(ctx, newCode());
    const origin = ctx.message.forward_origin;
    if (origin === undefined) return askForward(ctx, code, add.notForwarded);
    if (origin.type !== 'user' || !origin.sender_user.is_bot) return askForward(ctx, code, add.notFromBot);
    const { first_name: name, username = '' } = origin.sender_user;
    if (username === '' || !name.toUpperCase().includes(code)) {
      return askForward(ctx, code, add.codeMissing({ name: clip(name, 64), username }));
    }
    return registerBot(deps, ctx, username, add.addedByName);
  });
}

async function askForward(ctx: BotContext, code: string, note?: Html): Promise<void> {
  const { common, publisher } = ctx.texts;
  await codeDraft.keep(ctx, { code });
  await ctx.talk.ask('bot.name', [], {
    text: withNote(note, publisher.add.askForward({ code })),
    rows: [[press(publisher.add.newCode, 'botNewCode')], [press(common.cancel, 'botAdd')]],
  });
}

function newCode(): string {
  const characters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `SG-${characters.join('')}`;
}
