import { setTimeout as sleep } from 'node:timers/promises';
import { Bot, type Context, InlineKeyboard } from 'grammy';
import { sponsorGate } from '../../clients/grammy/src/index.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import type { Database } from '../core/database.ts';
import { type Language, languageFor } from '../core/locale.ts';

export interface DemoBotDeps {
  readonly db: Database;
  readonly log: { warn(details: object, message: string): void };
  /** The bot's token at the emulated Telegram. */
  readonly botToken: string;
  readonly apiRoot: () => string;
  /** The address of the API, and the publisher's API token. */
  readonly apiUrl: () => string;
  readonly apiToken: string;
}

const ANOTHER = 'another';
const RESTART_MS = 1_000;
const STOP_WITHIN_MS = 3_000;

const RU = {
  welcome: (name: string) => `${name}, добро пожаловать в киноклуб! Вот фильм на вечер:`,
  another: '🎲 Другой фильм',
  films: [
    '🎬 «Служебный роман» (1977): статистика, понедельник и новая причёска.',
    '🎬 «Курьер» (1986): мечтайте о чём-нибудь великом.',
    '🎬 «Сталкер» (1979): комната, где сбываются желания.',
    '🎬 «Мимино» (1977): лётчик, которому тесно в маленьком небе.',
  ],
};

const EN: typeof RU = {
  welcome: (name) => `${name}, welcome to the film club! Here is one for tonight:`,
  another: '🎲 Another film',
  films: [
    '🎬 The Apartment (1960): a key, a lift and a broken mirror.',
    '🎬 Paris, Texas (1984): a man walks out of the desert.',
    '🎬 Local Hero (1983): a village, a refinery and a phone box.',
    '🎬 Groundhog Day (1993): the same day, until it is a good one.',
  ],
};

const TEXTS: Readonly<Record<Language, typeof RU>> = { ru: RU, en: EN };

const demoTextsFor = (languageCode: string | undefined): typeof RU => TEXTS[languageFor(languageCode)];

/**
 * An ordinary publisher's bot: grammY, our plugin, our API over HTTP, and some content behind the gate. It uses no
 * internals of the service that it runs in.
 */
function createDemoBot({ botToken, apiRoot, apiUrl, apiToken, log }: DemoBotDeps): Bot {
  const bot = new Bot(botToken, { client: { apiRoot: apiRoot(), timeoutSeconds: 60, sensitiveLogs: false } });
  bot.use(
    sponsorGate({
      client: createClient({ baseUrl: apiUrl(), token: apiToken }),
      maxSponsors: 2,
      // Query the API every time: in a sandbox a day can pass in a second, and a reset removes all subscriptions.
      passSeconds: 0,
      onPassed: recommend,
      onError: (err) => log.warn({ err }, 'the demo bot could not get sponsors'),
    }),
  );
  bot.callbackQuery(ANOTHER, async (ctx) => {
    await ctx.answerCallbackQuery();
    await recommend(ctx);
  });
  bot.on('message', recommend);
  bot.catch(({ error }) => log.warn({ err: error }, 'the demo bot could not handle an update'));
  return bot;
}

async function recommend(ctx: Context): Promise<void> {
  const { welcome, films, another } = demoTextsFor(ctx.from?.language_code);
  const film = films[Math.floor(Math.random() * films.length)] ?? '';
  await ctx.reply(`${welcome(ctx.from?.first_name ?? '')}\n\n${film}`, {
    reply_markup: new InlineKeyboard().text(another, ANOTHER),
  });
}

/** Runs the bot in one process at a time. Starts polling again when the emulator ends a poll with an error. */
export function startDemoBot(deps: DemoBotDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = deps.db.exclusively('sandbox demo bot', (signal) => keepPolling(deps, signal), stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function keepPolling(deps: DemoBotDeps, signal: AbortSignal): Promise<void> {
  const overdue = afterAbort(signal, STOP_WITHIN_MS);
  while (!signal.aborted) {
    const bot = createDemoBot(deps);
    const end = (): void => void bot.stop().catch(() => undefined); // the server may be closed already
    signal.addEventListener('abort', end, { once: true });
    const polling = bot.start({ allowed_updates: ['message', 'callback_query'] }).catch((err: unknown) => {
      if (!signal.aborted) deps.log.warn({ err }, 'the demo bot stopped polling');
    });
    // A handler that hangs must not delay the stop of the service.
    await Promise.race([polling, overdue]);
    signal.removeEventListener('abort', end);
    await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
  }
}

function afterAbort(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const wait = (): void => void sleep(milliseconds, undefined, { ref: false }).then(resolve);
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}
