import { lines } from '../../../core/html.ts';
import { findBot, findBotByUsername, listTokens } from '../../../modules/bots/index.ts';
import { changeBeta } from '../../../modules/operators/index.ts';
import { Area, type BotContext, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, withNote } from '../screen.ts';
import { qualityOfBot } from './cases.ts';
import { by, ownerLine, toOverview } from './overview.ts';

const SHOWN_TOKENS = 10;

/** Grants and revokes access to the beta endpoints. */
export function betaArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.beta', (ctx) => ask(ctx));

  async function ask(ctx: BotContext, problem?: string): Promise<void> {
    await ctx.talk.ask('op.name', [], {
      text: withNote(problem, ctx.texts.operator.beta.ask),
      rows: [[toOverview(ctx)]],
    });
  }

  area.onText('op.name', async (ctx, text) => {
    const username = /^(?:@|https:\/\/t\.me\/)?(\w{1,64})$/.exec(text.trim())?.[1];
    const bot = username === undefined ? undefined : await findBotByUsername(deps.db, username);
    return bot === undefined ? ask(ctx, ctx.texts.operator.beta.notFound) : showBot(deps, ctx, bot.id);
  });

  area.onPress('op.bot', (ctx, id) => showBot(deps, ctx, idIn(id)));

  area.onPress('op.grant', async (ctx, id) => {
    const { beta, gone } = ctx.texts.operator;
    const botId = idIn(id);
    if ((await findBot(deps.db, botId)) === undefined) return ctx.talk.toast(gone);
    const count = await changeBeta(deps, { ...by(ctx), botId, isGranted: true });
    ctx.talk.toast(count === 0 ? beta.noTokens : beta.granted, { alert: count === 0 });
    return showBot(deps, ctx, botId);
  });
  return area;
}

export async function showBot(deps: ManagementBotDeps, ctx: BotContext, botId: number): Promise<void> {
  const { operator } = ctx.texts;
  const { beta } = operator;
  const bot = await findBot(deps.db, botId);
  if (bot === undefined) return ctx.talk.toast(operator.gone);
  const now = deps.clock.now();
  const tokens = (await listTokens(deps.db, botId)).slice(0, SHOWN_TOKENS);
  const isValid = (until: Date | undefined): boolean => until === undefined || until > now;
  const isBeta = tokens.some(({ scopes, validUntil }) => scopes.includes('beta') && isValid(validUntil));
  await ctx.talk.expectNothing();
  const quality = await qualityOfBot(deps, ctx, { botId, username: bot.username });
  await ctx.talk.show({
    text: lines(
      beta.page({
        username: bot.username,
        owner: await ownerLine(deps, ctx, bot.accountId),
        isActive: bot.isActive,
        tokens: tokens.map(({ fingerprint, createdAt, scopes, validUntil }) => ({
          fingerprint,
          created: ctx.formats.moment(createdAt),
          isBeta: scopes.includes('beta'),
          until: validUntil === undefined ? undefined : ctx.formats.moment(validUntil),
        })),
      }),
      quality.text,
    ),
    rows: [
      [isBeta ? press(beta.revoke, 'op.confirm', 'beta', botId) : press(beta.grant, 'op.grant', botId)],
      ...quality.rows,
      [press(operator.reverse.button, 'op.rev', 'bot', botId)],
      [press(operator.toAccount, 'op.a', bot.accountId), press(beta.other, 'op.beta')],
      [toOverview(ctx)],
    ],
  });
}
