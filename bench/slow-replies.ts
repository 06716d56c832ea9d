/**
 * Measures by how much one `sendMessage` that takes 10 s delays the press of another person, in live mode with polling.
 * Telegram is the emulator of another sandbox. `node bench/slow-replies.ts`
 *
 * Rounds with and without a slow reply alternate. Figure: the median and the largest time from a press to the reply, and
 * the largest difference between a round with a slow reply and the median without one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { readConfig } from '../src/config.ts';
import { runService } from '../src/main.ts';
import { median } from './random.ts';
import { control, onStage, progress, sayHello, serveOurs } from './stage.ts';

const ROUNDS = 10;
const SLOW_MS = 10_000;
const TARGET_MS = 100;
const [SLOW, OTHER] = [7_300_000_001, 7_300_000_002];

const [, , role, databaseUrl = '', token = '', apiRoot = ''] = process.argv;
if (role === 'telegram') await serveOurs(databaseUrl);
else if (role === 'live') await serveLive();
else await measure();

async function serveLive(): Promise<void> {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'bench-slow-replies-bench-slow-replies-bench',
    LOG_LEVEL: 'fatal',
    ROLES: 'bot',
    OPERATOR_IDS: '1',
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: apiRoot,
  });
  sayHello((await runService(config, pino({ level: 'fatal' }))).url);
}

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    await stage.db.query('CREATE DATABASE telegram');
    const telegramUrl = Object.assign(new URL(stage.databaseUrl), { pathname: '/telegram' }).href;
    const { url } = await stage.start(import.meta.filename, 'telegram', telegramUrl);
    const bot = await control<{ token: string; link: string }>(url, '/chats', { type: 'bot', title: 'Live' });
    const name = bot.link.replace('https://t.me/', '');
    await stage.start(import.meta.filename, 'live', stage.databaseUrl, bot.token, `${url}/sandbox/telegram`);
    for (const user_id of [SLOW, OTHER]) {
      await control(url, '/users', { user_id, first_name: 'Ann', language_code: 'en' });
      await say(url, user_id, name);
      await untilReplies(url, user_id, name, 1);
    }

    const times: Record<'usual' | 'slow', number[]> = { usual: [], slow: [] };
    for (let i = 0; i < ROUNDS; i++) {
      times.usual.push(await timeOfPress(url, name));
      await control(url, '/faults', { mode: 'slow', method: 'sendMessage', chat_id: SLOW, delay_ms: SLOW_MS });
      void say(url, SLOW, name);
      // Between 0 and 900 ms after the slow message: before and after it is stored.
      await sleep(i * 100);
      times.slow.push(await timeOfPress(url, name));
      await control(url, '/faults', { mode: 'none' });
      progress(
        `round ${i + 1}: ${Math.round(times.usual[i] ?? 0)} ms, with a slow reply ${Math.round(times.slow[i] ?? 0)} ms`,
      );
      await sleep(SLOW_MS / 4);
    }
    const usual = median(times.usual);
    const delayMs = Math.round(Math.max(...times.slow) - usual);
    console.log(
      JSON.stringify({
        delayMs,
        usualMs: Math.round(usual),
        slowMs: Math.round(median(times.slow)),
        targetMs: TARGET_MS,
      }),
    );
  });
}

function say(url: string, userId: number, bot: string): Promise<void> {
  return control<void>(url, `/persons/${userId}/messages`, { bot, text: '/start' }).catch(() => undefined);
}

async function readReplies(url: string, userId: number, bot: string): Promise<number> {
  const response = await fetch(`${url}/sandbox/persons/${userId}/messages?bot=${bot}`, {
    signal: AbortSignal.timeout(10_000),
  });
  const { messages } = (await response.json()) as { messages: { from: string; message_id: number }[] };
  return Math.max(0, ...messages.filter(({ from }) => from === 'bot').map(({ message_id: id }) => id));
}

async function untilReplies(url: string, userId: number, bot: string, after: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  while ((await readReplies(url, userId, bot)) < after) {
    if (performance.now() > deadline) throw new Error('no reply within 30 s');
    await sleep(5);
  }
}

/** Returns the milliseconds from a message of the other person to the reply. */
async function timeOfPress(url: string, bot: string): Promise<number> {
  const before = await readReplies(url, OTHER, bot);
  const begin = performance.now();
  void say(url, OTHER, bot);
  await untilReplies(url, OTHER, bot, before + 1);
  return performance.now() - begin;
}
