import { LANGUAGES } from '../../../core/locale.ts';
import { setLanguage } from '../../../modules/accounts/index.ts';
import { available, hold, readBalances } from '../../../modules/ledger/index.ts';
import { Area, type BotContext, choiceIn, switchLanguage } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, type Screen } from '../screen.ts';
import { TEXTS } from '../texts/index.ts';

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
