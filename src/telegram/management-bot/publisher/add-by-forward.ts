import { randomInt } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { clip, type Html } from '../../../core/html.ts';
import type { Area, BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, withNote } from '../screen.ts';
import { registerBot } from './add-by-token.ts';
import { onMessage } from './on-message.ts';

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 6;

const Draft = Type.Object({ wizard: Type.Literal('bot'), code: Type.String({ pattern: `^SG-[${ALPHABET}]{6}$` }) });

/**
 * Proves ownership without the token: the person adds a code to the bot's name and forwards a message of the bot.
 * Decision 0031 says why the name and not the text.
 */
export function addByForward(area: Area, deps: ManagementBotDeps): void {
  // Keeps an issued code: the bot's name may already contain it.
  area.onPress('botByName', (ctx) => askForward(ctx, codeOf(ctx) ?? newCode()));
  area.onPress('botNewCode', (ctx) => askForward(ctx, newCode()));
  onMessage(area, 'bot.name', async (ctx) => {
    const { add } = ctx.texts.publisher;
    const code = codeOf(ctx);
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
  await ctx.talk.keepDraft({ wizard: 'bot', code } satisfies Static<typeof Draft>);
  await ctx.talk.ask('bot.name', [], {
    text: withNote(note, publisher.add.askForward({ code })),
    rows: [[press(publisher.add.newCode, 'botNewCode')], [press(common.cancel, 'botAdd')]],
  });
}

function codeOf({ talk }: BotContext): string | undefined {
  const draft = talk.draftOf('bot');
  return Value.Check(Draft, draft) ? draft.code : undefined;
}

function newCode(): string {
  const characters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `SG-${characters.join('')}`;
}
