import { EMPTY_LINE, lines } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import { type Adjustment, adjustBot, type Bot, MAX_SPONSORS, ROUND_SECONDS } from '../../../modules/bots/index.ts';
import { type Area, type BotContext, choiceIn, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, type Screen, withNote } from '../screen.ts';
import { botIn } from './bot-page.ts';

const QUICK_COUNTS = [1, 3, 5, 10, 20, 50] as const;
const ROUND_MINUTES = { min: ROUND_SECONDS.min / 60, max: ROUND_SECONDS.max / 60 } as const;
const QUICK_MINUTES = [5, 30, 60, 180, 360, 720, 1440, 2880, 4320] as const;
const ON_OFF = ['0', '1'] as const;

export function botSettings(area: Area, deps: ManagementBotDeps): void {
  /** Changes a setting and shows all settings. */
  async function adjust(ctx: BotContext, id: string | undefined, adjustment: Adjustment): Promise<void> {
    const bot = await adjustBot(deps.db, { accountId: ctx.person.accountId, botId: idIn(id), adjustment });
    await ctx.talk.expectNothing();
    ctx.talk.toast(ctx.texts.common.done);
    await ctx.talk.show(settingsScreen(ctx, bot));
  }

  area.onPress('botSet', async (ctx, id) => ctx.talk.show(settingsScreen(ctx, await botIn(deps, ctx, id))));

  area.onPress('botMax', async (ctx, id) => askCount(ctx, await botIn(deps, ctx, id)));
  area.onPress('botMaxSet', (ctx, id, count) => adjust(ctx, id, { kind: 'max_sponsors', value: idIn(count) }));
  area.onText('bot.max', async (ctx, text, id) => {
    const value = readCount(text, MAX_SPONSORS);
    if (value !== undefined) return adjust(ctx, id, { kind: 'max_sponsors', value });
    return askCount(ctx, await botIn(deps, ctx, id), wrongCount(ctx, MAX_SPONSORS));
  });

  area.onPress('botRound', async (ctx, id) => askRound(ctx, await botIn(deps, ctx, id)));
  area.onPress('botRoundSet', (ctx, id, minutes) =>
    adjust(ctx, id, { kind: 'round_seconds', value: idIn(minutes) * 60 }),
  );
  area.onText('bot.round', async (ctx, text, id) => {
    const minutes = readCount(text, ROUND_MINUTES);
    if (minutes !== undefined) return adjust(ctx, id, { kind: 'round_seconds', value: minutes * 60 });
    return askRound(ctx, await botIn(deps, ctx, id), wrongCount(ctx, ROUND_MINUTES));
  });

  area.onPress('botProf', async (ctx, id) => {
    const bot = await botIn(deps, ctx, id);
    const { common, publisher } = ctx.texts;
    const { collectsProfiles: isOn } = bot;
    const change = isOn ? publisher.bot.switchOff : publisher.bot.switchOn;
    await ctx.talk.show({
      text: publisher.settings.askProfiles({ value: isOn ? common.on : common.off }),
      rows: [[press(change, 'botProfSet', bot.id, isOn ? '0' : '1')], [press(common.back, 'botSet', bot.id)]],
    });
  });
  area.onPress('botProfSet', (ctx, id, state) =>
    adjust(ctx, id, { kind: 'collects_profiles', value: choiceIn(state, ON_OFF) === '1' }),
  );
}

/** One button per setting, with its value. */
function settingsScreen({ texts, formats }: BotContext, bot: Bot): Screen {
  const { common, publisher } = texts;
  const { settings } = publisher;
  const types = bot.excludedResourceTypes;
  const shown = types.has('channel')
    ? settings.onlyType.bot
    : types.has('bot')
      ? settings.onlyType.channel
      : settings.allTypes;
  return {
    text: lines(settings.title(bot), EMPTY_LINE, settings.choose),
    rows: [
      [press(settings.maxSponsors({ value: formats.count(bot.maxSponsors) }), 'botMax', bot.id)],
      [press(settings.round({ value: settings.duration(bot.roundSeconds / 60) }), 'botRound', bot.id)],
      [press(settings.profiles({ value: bot.collectsProfiles ? common.on : common.off }), 'botProf', bot.id)],
      [press(settings.types({ value: shown }), 'botTypes', bot.id)],
      [press(settings.orders({ value: formats.count(bot.excludedOrderIds.size) }), 'botHidden', bot.id)],
      [press(common.back, 'bot', bot.id)],
    ],
  };
}

function askCount(ctx: BotContext, bot: Bot, note?: string): Promise<void> {
  const { common, publisher } = ctx.texts;
  const { count } = ctx.formats;
  const text = publisher.settings.askMaxSponsors({ value: count(bot.maxSponsors), ...bounds(ctx, MAX_SPONSORS) });
  return ctx.talk.ask('bot.max', [bot.id], {
    text: withNote(note, text),
    rows: [
      QUICK_COUNTS.map((value) => press(count(value), 'botMaxSet', bot.id, value)),
      [press(common.back, 'botSet', bot.id)],
    ],
  });
}

function askRound(ctx: BotContext, bot: Bot, note?: string): Promise<void> {
  const { common, publisher } = ctx.texts;
  const { duration, askRound: question } = publisher.settings;
  const text = question({ value: duration(bot.roundSeconds / 60), ...bounds(ctx, ROUND_MINUTES) });
  const quick = QUICK_MINUTES.map((minutes) => press(duration(minutes), 'botRoundSet', bot.id, minutes));
  return ctx.talk.ask('bot.round', [bot.id], {
    text: withNote(note, text),
    rows: [quick.slice(0, 3), quick.slice(3, 6), quick.slice(6), [press(common.back, 'botSet', bot.id)]],
  });
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const bounds = ({ formats }: BotContext, { min, max }: Bounds): { min: string; max: string } => ({
  min: formats.count(min),
  max: formats.count(max),
});

const wrongCount = (ctx: BotContext, limits: Bounds): string => ctx.texts.common.wrongCount(bounds(ctx, limits));
