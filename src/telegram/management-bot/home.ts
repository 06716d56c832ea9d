import { isIP } from 'node:net';
import { systemClock } from '../../core/clock.ts';
import { EMPTY_LINE, lines } from '../../core/html.ts';
import { LANGUAGES } from '../../core/locale.ts';
import { setLanguage } from '../../modules/accounts/index.ts';
import { available, hold, readBalances } from '../../modules/ledger/index.ts';
import { endSessions, issueCode, listSessions } from '../../modules/sessions/index.ts';
import { Area, type BotContext, choiceIn, switchLanguage } from './bot-context.ts';
import type { ManagementBotDeps } from './deps.ts';
import { link, press, type Screen } from './screen.ts';
import { TEXTS } from './texts/index.ts';

/** The first screen: the balance and the main menu. */
export async function homeScreen(deps: Pick<ManagementBotDeps, 'db'>, ctx: BotContext): Promise<Screen> {
  const { person, formats } = ctx;
  const { home } = ctx.texts;
  const [mine, held] = [available(person.accountId), hold(person.accountId)];
  const balanceOf = await readBalances(deps.db, [mine, held]);
  return {
    text: home.greeting({
      name: person.name,
      accountId: person.accountId,
      available: formats.rubles(balanceOf(mine)),
      hold: formats.rubles(balanceOf(held)),
    }),
    rows: [
      [press(home.bots, 'bots'), press(home.orders, 'orders')],
      [press(home.balance, 'balance'), press(home.contests, 'contests')],
      [press(home.notices, 'notices'), press(home.language, 'language')],
      [press(ctx.texts.console.open, 'console')],
      person.isOperator ? [press(home.operator, 'operator')] : [],
    ],
  };
}

export function homeArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('home', async (ctx) => ctx.talk.show(await homeScreen(deps, ctx)));
  area.onPress('language', (ctx) =>
    ctx.talk.show({
      text: ctx.texts.home.chooseLanguage,
      rows: [
        LANGUAGES.map((language) => press(TEXTS[language].home.languageName, 'speak', language)),
        [press(ctx.texts.common.back, 'home')],
      ],
    }),
  );
  area.onPress('speak', async (ctx, chosen) => {
    const language = choiceIn(chosen, LANGUAGES);
    await setLanguage(deps.db, ctx.person.accountId, language);
    switchLanguage(ctx, language);
    await ctx.talk.show(await homeScreen(deps, ctx));
  });
  return area;
}

/** Opens the web console by a link that works once. */
export function consoleArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('console', async (ctx) => ctx.talk.show(await linkScreen(deps, ctx)));
  area.onPress('console_end', (ctx) =>
    ctx.talk.show({
      text: ctx.texts.console.confirm,
      rows: [[press(ctx.texts.common.yes, 'console_ended'), press(ctx.texts.common.no, 'console')]],
    }),
  );
  area.onPress('console_ended', async (ctx) => {
    await endSessions(deps.db, { accountId: ctx.person.accountId });
    ctx.talk.toast(ctx.texts.console.ended);
    await ctx.talk.show(await linkScreen(deps, ctx));
  });
  return area;
}

async function linkScreen(
  { db, publicUrl, operatorIds, sandbox }: ManagementBotDeps,
  ctx: BotContext,
): Promise<Screen> {
  const { accountId } = ctx.person;
  // Sessions use real time, also in a sandbox whose clock is moved.
  const at = systemClock.now();
  const sessions = await listSessions(db, { accountId, operatorIds, at });
  const url = `${publicUrl()}/console/enter?code=${await issueCode(db, { accountId, at })}`;
  const { texts, formats } = ctx;
  const words = texts.console;
  const page = words.page({ devices: formats.count(sessions.length) });
  const isButton = sandbox !== undefined || isReachable(url);
  return {
    text: isButton ? page : lines(page, EMPTY_LINE, words.address({ url })),
    rows: [
      isButton ? [link(words.enter, url)] : [],
      [press(words.another, 'console'), ...(sessions.length > 0 ? [press(words.endAll, 'console_end')] : [])],
      [press(texts.common.back, 'home')],
    ],
  };
}

/** Telegram refuses buttons that lead to a local address. */
function isReachable(url: string): boolean {
  const { hostname } = new URL(url);
  return isIP(hostname) === 0 && hostname.includes('.');
}
