import { setTimeout as sleep } from 'node:timers/promises';
import { Bot, type Context, InlineKeyboard } from 'grammy';
import { sponsorGate } from '../../clients/grammy/src/index.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import type { Database } from '../core/database.ts';
import { demoTextsFor } from './demo-bot-texts.ts';

export interface DemoBotDeps {
  readonly db: Database;
  readonly log: { warn(details: object, message: string): void };
  /** The bot's own token, at the emulated Telegram. */
  readonly botToken: string;
  readonly apiRoot: () => string;
  /** Where the API is, and the token that its publisher got there. */
  readonly apiUrl: () => string;
  readonly apiToken: string;
}

const ANOTHER = 'another';
const RESTART_MS = 1_000;
const STOP_WITHIN_MS = 3_000;

/**
 * A publisher's bot such as anybody could have written: grammY, our plugin, our API over HTTP, and a little content
 * behind the gate. It knows nothing of the service it runs in.
 */
function createDemoBot({ botToken, apiRoot, apiUrl, apiToken, log }: DemoBotDeps): Bot {
  const bot = new Bot(botToken, { client: { apiRoot: apiRoot(), timeoutSeconds: 60, sensitiveLogs: false } });
  bot.use(
    sponsorGate({
      client: createClient({ baseUrl: apiUrl(), token: apiToken }),
      // Two are enough to see how it works.
      maxSponsors: 2,
      // Asks every time: in a sandbox people come back after a day that took a second, or after a reset.
      passSeconds: 0,
      onPassed: recommend,
      onError: (err) => log.warn({ err }, 'the demo bot could not ask for sponsors'),
    }),
  );
  bot.callbackQuery(ANOTHER, async (ctx) => {
    await ctx.answerCallbackQuery();
    await recommend(ctx);
  });
  bot.on('message', recommend);
  bot.catch(({ error }) => log.warn({ err: error }, 'the demo bot could not answer'));
  return bot;
}

async function recommend(ctx: Context): Promise<void> {
  const { welcome, films, another } = demoTextsFor(ctx.from?.language_code);
  const film = films[Math.floor(Math.random() * films.length)] ?? '';
  await ctx.reply(`${welcome(ctx.from?.first_name ?? '')}\n\n${film}`, {
    reply_markup: new InlineKeyboard().text(another, ANOTHER),
  });
}

/** Runs the bot in one process at a time, and again when Telegram threw it out. */
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
    const end = (): void => void bot.stop().catch(() => undefined); // its farewell may find the server closed
    signal.addEventListener('abort', end, { once: true });
    const polling = bot.start({ allowed_updates: ['message', 'callback_query'] }).catch((err: unknown) => {
      if (!signal.aborted) deps.log.warn({ err }, 'the demo bot stopped polling');
    });
    // A handler that hangs must not hold up the stop of the whole service.
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
