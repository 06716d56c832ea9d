import { EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import { type Bot, botTokenIn } from '../../../modules/bots/index.ts';
import { forgetTelegramToken, giveTelegramToken, readMessageSettings } from '../../../modules/compat/index.ts';
import { createGateMessenger } from '../../gate-messenger.ts';
import type { Area, BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, type Screen, withNote } from '../screen.ts';
import { botIn } from './bot-page.ts';

/** The Telegram token with which the service sends gate messages through the publisher's bot (/compat). */
export function gateMessages(area: Area, deps: ManagementBotDeps): void {
  const messages = { ...deps, messenger: createGateMessenger(deps.api) };

  area.onPress('botGate', async (ctx, id) => {
    await ctx.talk.show(await gateScreen(deps, ctx, await botIn(deps, ctx, id)));
  });

  area.onPress('botGateAsk', async (ctx, id) => askToken(ctx, await botIn(deps, ctx, id)));
  area.onText('bot.gate', async (ctx, text, id) => {
    const { add } = ctx.texts.publisher;
    await ctx.talk.forgetMessage();
    const bot = await botIn(deps, ctx, id);
    const token = botTokenIn(text);
    if (token === undefined) return askToken(ctx, bot, add.noToken);
    const outcome = await giveTelegramToken(messages, bot, token);
    switch (outcome.kind) {
      case 'refused':
        return askToken(ctx, bot, add.wrongToken);
      case 'unavailable':
        return askToken(ctx, bot, add.away);
      case 'other_bot':
        return askToken(ctx, bot, html`⚠️ ${ctx.texts.shared.gateMessages.otherBot(outcome.username)}`);
      case 'saved': {
        await ctx.talk.expectNothing();
        return ctx.talk.show(await gateScreen(deps, ctx, bot, ctx.texts.publisher.gate.saved));
      }
    }
  });

  area.onPress('botGateDel', async (ctx, id) => {
    const bot = await botIn(deps, ctx, id);
    const { common, publisher } = ctx.texts;
    await ctx.talk.show({
      text: publisher.gate.askRemove(bot),
      rows: [[press(common.yes, 'botGateGone', bot.id), press(common.no, 'botGate', bot.id)]],
    });
  });
  area.onPress('botGateGone', async (ctx, id) => {
    const bot = await botIn(deps, ctx, id);
    await forgetTelegramToken(deps.db, bot.id);
    ctx.talk.toast(ctx.texts.common.done);
    await ctx.talk.show(await gateScreen(deps, ctx, bot));
  });
}

async function gateScreen({ db }: ManagementBotDeps, ctx: BotContext, bot: Bot, note?: Html): Promise<Screen> {
  const { common, publisher, shared } = ctx.texts;
  const { gate } = publisher;
  const { hasToken, failure } = await readMessageSettings(db, bot.id);
  const failed =
    failure &&
    gate.failed({ at: ctx.formats.moment(failure.failedAt), why: shared.gateMessages.failures[failure.reason] });
  return {
    text: withNote(
      note,
      lines(gate.title(bot), EMPTY_LINE, gate.explain, EMPTY_LINE, hasToken ? gate.isOn : gate.isOff, failed),
    ),
    rows: [
      hasToken
        ? [press(gate.replace, 'botGateAsk', bot.id), press(gate.remove, 'botGateDel', bot.id)]
        : [press(gate.give, 'botGateAsk', bot.id)],
      [press(common.back, 'botSet', bot.id)],
    ],
  };
}

function askToken(ctx: BotContext, bot: Bot, note?: Html): Promise<void> {
  const { common, publisher } = ctx.texts;
  return ctx.talk.ask('bot.gate', [bot.id], {
    text: withNote(note, publisher.gate.askToken(bot)),
    rows: [[press(common.cancel, 'botGate', bot.id)]],
  });
}
