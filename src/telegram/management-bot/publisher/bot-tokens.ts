import { HOUR_MS, SECOND_MS } from '../../../core/clock.ts';
import { EMPTY_LINE, type Html, lines } from '../../../core/html.ts';
import { type Bot, listValidTokens, renewToken, type TokenDescription } from '../../../modules/bots/index.ts';
import { type Area, type BotContext, choiceIn, idIn, newNonce, nonceIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { copy, inPairs, press, type Screen, withNote } from '../screen.ts';
import { botIn } from './bot-page.ts';

/** Hours for which the earlier tokens stay valid. */
const GRACE = ['0', '1', '24', '168'] as const;
const SHOWN_TOKENS = 5;

export function botTokens(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botKeys', async (ctx, id) => {
    await ctx.talk.show(await tokensScreen(deps, ctx, await botIn(deps, ctx, id)));
  });
  area.onPress('botKeyAsk', async (ctx, id) => {
    const bot = await botIn(deps, ctx, id);
    const { common, publisher } = ctx.texts;
    // All buttons share one key, so that pressing several of them issues one token.
    const nonce = newNonce();
    await ctx.talk.show({
      text: publisher.token.askRenew(bot),
      rows: [
        ...inPairs(GRACE.map((hours) => press(publisher.token.grace[hours], 'botKeyNew', bot.id, hours, nonce))),
        [press(common.cancel, 'botKeys', bot.id)],
      ],
    });
  });
  area.onPress('botKeyNew', async (ctx, id, grace, nonce) => {
    const hours = Number(choiceIn(grace, GRACE));
    const botId = idIn(id);
    const outcome = await renewToken(deps.db, {
      accountId: ctx.person.accountId,
      botId,
      graceSeconds: (hours * HOUR_MS) / SECOND_MS,
      key: `bot-token:${nonceIn(nonce)}`,
      at: deps.clock.now(),
      firstToken: deps.sandbox?.firstToken(botId),
    });
    const bot = await botIn(deps, ctx, id);
    if (outcome.kind === 'issued_before') {
      return ctx.talk.show(await tokensScreen(deps, ctx, bot, ctx.texts.publisher.token.issuedBefore));
    }
    return ctx.talk.show(newTokenScreen(deps, ctx, bot, outcome));
  });
}

/** Lists the tokens by fingerprint; tokens are not stored. */
async function tokensScreen(deps: ManagementBotDeps, ctx: BotContext, bot: Bot, note?: Html): Promise<Screen> {
  const { common, publisher } = ctx.texts;
  const { accountId } = ctx.person;
  const tokens = await listValidTokens(deps.db, { accountId, botId: bot.id, at: deps.clock.now() });
  const hidden = tokens.length - SHOWN_TOKENS;
  return {
    text: withNote(
      note,
      lines(
        publisher.token.title(bot),
        EMPTY_LINE,
        ...(tokens.length === 0
          ? [publisher.token.none]
          : tokens.slice(0, SHOWN_TOKENS).map((one) => tokenLine(ctx, one))),
        hidden > 0 ? publisher.token.more({ count: ctx.formats.count(hidden) }) : undefined,
        ...(tokens.length === 0 ? [] : [EMPTY_LINE, publisher.token.note]),
      ),
    ),
    rows: [
      [
        tokens.length === 0
          ? press(publisher.token.create, 'botKeyNew', bot.id, '0', newNonce())
          : press(publisher.token.renew, 'botKeyAsk', bot.id),
      ],
      [press(common.back, 'bot', bot.id)],
    ],
  };
}

function tokenLine({ texts, formats }: BotContext, token: TokenDescription): Html {
  return texts.publisher.token.one({
    fingerprint: token.fingerprint,
    created: formats.moment(token.createdAt),
    isBeta: token.scopes.includes('beta'),
    validUntil: token.validUntil && formats.moment(token.validUntil),
  });
}

/** Shows the new token once. The next press replaces this message. */
function newTokenScreen(
  { clock }: ManagementBotDeps,
  ctx: BotContext,
  bot: Bot,
  { token, oldValidUntil }: { token: string; oldValidUntil: Date | undefined },
): Screen {
  const { common, publisher } = ctx.texts;
  const old =
    oldValidUntil === undefined
      ? undefined
      : oldValidUntil <= clock.now()
        ? publisher.token.oldEnded
        : publisher.token.oldUntil({ until: ctx.formats.moment(oldValidUntil) });
  return {
    text: lines(
      publisher.token.once({ username: bot.username, token }),
      ...(old === undefined ? [] : [EMPTY_LINE, old]),
    ),
    rows: [
      [...copy(common.copy, token)],
      [press(publisher.bot.integration, 'botCode', bot.id, 'curl')],
      [press(publisher.token.saved, 'botKeys', bot.id)],
    ],
  };
}
