import { clip } from '../../../core/html.ts';
import { BOT_TOKEN_PURPOSE, chatNamedIn, proveBotOwner } from '../../../modules/orders/index.ts';
import { identifyBot } from '../../chat-access.ts';
import { Area, type BotContext, choiceIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { type OrderDraft, orderDraftOf } from './order-draft.ts';
import type { ShowStep, StepScreen, Wizard } from './wizard.ts';

/** Steps for a bot, checked by its token or by the advertiser's side. */
export const botSteps = {
  check: ({ texts }) => {
    const { bot } = texts.advertiser.wizard;
    return {
      text: bot.askCheck,
      rows: [[press(bot.token, 'o.check', 'token')], [press(bot.external, 'o.check', 'external')]],
    };
  },
} satisfies Record<string, ShowStep>;

export function botScreen({ texts }: BotContext, { check }: OrderDraft): StepScreen {
  const { bot } = texts.advertiser.wizard;
  return check === 'external'
    ? { text: bot.askExternal, rows: [], input: 'o.external' }
    : { text: bot.askToken, rows: [], input: 'o.token' };
}

export function botArea(deps: ManagementBotDeps, wizard: Wizard): Area {
  const { api, secrets } = deps;
  const area = new Area();

  area.onPress('o.check', async (ctx, chosen) => {
    const check = choiceIn(chosen, ['token', 'external']);
    const isSame = check === orderDraftOf(ctx).check;
    await wizard.enter(ctx, isSame ? {} : { check, resource: undefined, link: undefined, title: undefined });
  });

  area.onText('o.token', async (ctx, text) => {
    // Deletes the message first: anyone who sees the token in the chat can take over the bot.
    await ctx.talk.forgetMessage();
    const texts = ctx.texts.shared.orders.inputs;
    const token = /\b\d{3,20}:[\w-]{20,100}/.exec(text)?.[0];
    if (token === undefined) return wizard.again(ctx, texts.notAToken);
    const bot = await identifyBot(api, token);
    if (bot.kind === 'unavailable') return wizard.again(ctx, ctx.texts.shared.refusals.telegram_unavailable ?? '');
    if (bot.kind === 'refused') return wizard.again(ctx, texts.tokenRefused);
    const sealedToken = secrets.encrypt(BOT_TOKEN_PURPOSE, token).toString('base64');
    return wizard.enter(ctx, {
      resource: { type: 'bot', sealedToken },
      foundTitle: clip(bot.title, 100),
      link: `https://t.me/${bot.username}`,
      title: undefined,
    });
  });

  area.onText('o.external', async (ctx, text) => {
    const name = chatNamedIn(text);
    if (name === undefined || name === 'invite_link') {
      return wizard.again(ctx, ctx.texts.shared.orders.inputs.notAName);
    }
    const texts = ctx.texts.shared.orders.inputs;
    const proof = await proveBotOwner(deps, ctx.person.accountId, name.slice(1));
    if (proof.kind === 'unavailable') return wizard.again(ctx, ctx.texts.shared.refusals.telegram_unavailable ?? '');
    if (proof.kind === 'unproved') return wizard.again(ctx, texts.proveOwner({ bot: name, code: proof.code }));
    return wizard.enter(ctx, {
      resource: { type: 'external' },
      foundTitle: name,
      link: `https://t.me/${name.slice(1)}`,
      title: undefined,
    });
  });
  return area;
}
