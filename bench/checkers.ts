/**
 * Measures the membership checks per second that settlement makes with 1, 2, 4 and 8 checker bots. Telegram is the
 * emulator of another sandbox with Telegram's limit of 30 calls a second per token. `node bench/checkers.ts`
 *
 * Two workers and one API process share the budgets of the bots. Each bot has several channels and the same number of
 * due subscriptions. Figures: checks per second in the steady part of the run, against N times those of one bot, and
 * the calls that Telegram refused with 429 in that part. CHECKERS_SECONDS=20 and CHECKERS_SIZES=1,2 make a shorter run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/core/clock.ts';
import { createSecrets } from '../src/core/secrets.ts';
import { type OpenDatabase, openDatabase } from '../src/db/index.ts';
import { runService } from '../src/main.ts';
import { saveChecker } from '../src/modules/checkers/index.ts';
import { control, onStage, progress, type Server, sayHello, serveOurs } from './stage.ts';

const SIZES = (process.env.CHECKERS_SIZES ?? '1,2,4,8').split(',').map(Number);
const CHANNELS_PER_BOT = 3;
const CHECKS_PER_SECOND = 25;
const SECONDS = Number(process.env.CHECKERS_SECONDS ?? 40);
/** The shares of the processes settle in this time. */
const WARM_UP_SECONDS = 8;
const SECRET_KEY = 'bench-checkers-bench-checkers-bench-checkers';
const TARGET = 0.9;

let lastUser = 7_100_000_000;

const [, , role, databaseUrl = '', roles = '', token = '', apiRoot = ''] = process.argv;
if (role === 'telegram') await serveOurs(databaseUrl);
else if (role === 'live') await serveLive();
else await measure();

/** Starts the service in live mode, with the emulator as Telegram. */
async function serveLive(): Promise<void> {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
    LOG_LEVEL: 'fatal',
    ROLES: roles,
    OPERATOR_IDS: '1',
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: apiRoot,
    TELEGRAM_CHECKS_PER_SECOND: String(CHECKS_PER_SECOND),
  });
  const service = await runService(config, pino({ level: 'fatal' }));
  sayHello(service.url);
}

interface Bot {
  readonly chat_id: number;
  readonly token: string;
}

interface Figures {
  readonly perSecond: number;
  readonly floods: number;
  /** Microseconds of processor time for each check: of both workers together, and of the emulator. */
  readonly workerCpu: number;
  readonly telegramCpu: number;
}

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    await stage.db.query('CREATE DATABASE telegram');
    const telegramUrl = Object.assign(new URL(stage.databaseUrl), { pathname: '/telegram' }).href;
    const telegram = await stage.start(import.meta.filename, 'telegram', telegramUrl);
    const management = await control<Bot>(telegram.url, '/chats', { type: 'bot', title: 'Management' });
    const start = (as: string): Promise<Server> =>
      stage.start(
        import.meta.filename,
        'live',
        stage.databaseUrl,
        as,
        management.token,
        `${telegram.url}/sandbox/telegram`,
      );
    const processes = [await start('api,bot'), await start('worker'), await start('worker')];
    const telegramDb = openDatabase({ url: telegramUrl, onError: () => undefined });
    await control(telegram.url, '/faults', { mode: 'flood_limits' });

    const found = new Map<number, Figures>();
    for (const size of SIZES) {
      await prepare(stage.db, telegramDb, telegram.url, size);
      const figures = await watch(stage.db, processes, telegram);
      found.set(size, figures);
      const { perSecond, workerCpu, telegramCpu } = figures;
      progress(`${size} checkers: ${perSecond.toFixed(1)} checks/s, ${figures.floods} times 429`);
      progress(
        `  a check costs the workers ${Math.round(workerCpu)} µs and the emulator ${Math.round(telegramCpu)} µs`,
      );
    }
    await telegramDb.close();

    const one = found.get(1)?.perSecond ?? Number.NaN;
    const ratios = [...found].map(([size, { perSecond }]) => [String(size), round(perSecond / one / size)] as const);
    const floods = [...found.values()].reduce((sum, each) => sum + each.floods, 0);
    const ratio = Math.min(...ratios.map(([, each]) => each));
    const perSecond = Object.fromEntries([...found].map(([size, each]) => [size, round(each.perSecond)]));
    const workerMicroseconds = Math.round([...found.values()].at(-1)?.workerCpu ?? Number.NaN);
    console.log(
      JSON.stringify({
        ratio,
        ratios: Object.fromEntries(ratios),
        perSecond,
        floods,
        workerMicroseconds,
        target: TARGET,
      }),
    );
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Adds `size` checker bots, each with its channels and due subscriptions. Those of earlier runs have nothing to do. */
async function prepare(db: OpenDatabase, telegramDb: OpenDatabase, telegram: string, size: number): Promise<void> {
  await db.query('DELETE FROM tasks');
  const secrets = createSecrets(SECRET_KEY);
  const at = systemClock.now();
  await db.query(
    `INSERT INTO accounts (telegram_user_id, name, created_at) VALUES (1, 'Advertiser', $1) ON CONFLICT DO NOTHING`,
    [at],
  );
  for (let i = 0; i < size; i++) {
    const bot = await control<Bot>(telegram, '/chats', { type: 'bot', title: 'Checker' });
    const checker = { botId: bot.chat_id, username: `checker_${bot.chat_id}_bot`, token: bot.token };
    await db.transaction((tx) => saveChecker(tx, { secrets, at }, checker));
    for (let channel = 0; channel < CHANNELS_PER_BOT; channel++) {
      const { chat_id: chatId } = await control<Bot>(telegram, '/chats', { type: 'channel', title: 'Channel' });
      const users = Array.from(
        { length: Math.ceil((CHECKS_PER_SECOND * SECONDS) / CHANNELS_PER_BOT) },
        () => ++lastUser,
      );
      await addMembers(telegramDb, chatId, bot.chat_id, users);
      await addDue(db, { chatId, checkerId: bot.chat_id, users });
    }
  }
  await db.query('ANALYZE tasks');
}

/** Writes the rows of the emulated Telegram directly: thousands of joins over HTTP would take longer than the run. */
async function addMembers(db: OpenDatabase, chatId: number, botId: number, users: readonly number[]): Promise<void> {
  await db.query(
    `INSERT INTO sandbox.tg_members (chat_id, user_id, status, is_member, joined_at) VALUES ($1, $2, 'administrator', true, now())
     ON CONFLICT (chat_id, user_id) DO UPDATE SET status = 'administrator', is_member = true`,
    [chatId, botId],
  );
  await db.query(
    `INSERT INTO sandbox.tg_users (user_id, is_bot, first_name, created_at)
     SELECT id, false, 'User', now() FROM unnest($1::bigint[]) AS t (id)`,
    [users],
  );
  await db.query(
    `INSERT INTO sandbox.tg_members (chat_id, user_id, status, is_member, joined_at)
     SELECT $1, id, 'member', true, now() FROM unnest($2::bigint[]) AS t (id)`,
    [chatId, users],
  );
}

/** Writes an order with counted subscriptions whose window has just ended. Their reward was released before. */
async function addDue(
  db: OpenDatabase,
  { chatId, checkerId, users }: { chatId: number; checkerId: number; users: readonly number[] },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [resource] = await tx.query<{ id: bigint }>(
      `INSERT INTO resources (type, chat_id, created_at, checker_id) VALUES ('channel', $1, now(), $2) RETURNING id`,
      [chatId, checkerId],
    );
    const [order] = await tx.query<{ id: bigint }>(
      `INSERT INTO orders (account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks, reward_kopecks,
                           quantity, hold_seconds, refund, created_at)
       SELECT id, $1, 'An order', 'An order', 'https://t.me/an_order', 'active', 1000, 1000, 700, 1000000, 3600, true, now()
       FROM accounts ORDER BY id LIMIT 1 RETURNING id`,
      [resource?.id],
    );
    await tx.query('INSERT INTO order_progress (order_id, counted_count, unsettled_count) VALUES ($1, $2, $2)', [
      order?.id,
      users.length,
    ]);
    await tx.query(
      `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                          reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, release_at,
                          window_ends_at, next_check_at, was_outside)
       SELECT id, 1, $2, 1, $3, 1, 0, 'paid', 1000, 700, 3600, true, now() - interval '1 day', now(),
              now() - interval '1 day', now() - interval '23 hours', now(), now() + interval '3 seconds', true
       FROM unnest($1::bigint[]) AS t (id)`,
      [users, order?.id, resource?.id],
    );
  });
}

/** Running totals at one moment. Processor times are in microseconds. */
interface Sample {
  readonly at: number;
  readonly checks: number;
  readonly floods: number;
  readonly workerCpu: number;
  readonly telegramCpu: number;
}

/** Samples the calls once a second until all tasks are settled. Returns the figures of the steady part. */
async function watch(db: OpenDatabase, processes: readonly Server[], telegram: Server): Promise<Figures> {
  const samples: Sample[] = [];
  const [, ...workers] = processes;
  for (;;) {
    const calls = await Promise.all(processes.map(({ url }) => readCalls(url)));
    const sum = (outcome: 'ok' | 'flood'): number => calls.reduce((all, each) => all + each[outcome], 0);
    samples.push({
      at: performance.now(),
      checks: sum('ok'),
      floods: sum('flood'),
      workerCpu: (await Promise.all(workers.map((worker) => worker.cpu()))).reduce((all, each) => all + each, 0),
      telegramCpu: await telegram.cpu(),
    });
    const [left] = await db.query<{ count: bigint }>("SELECT count(*) AS count FROM tasks WHERE state <> 'settled'");
    if (Number(left?.count) === 0) break;
    if (samples.length > SECONDS * 6) throw new Error(`${left?.count} tasks are not settled`);
    await sleep(1_000);
  }
  const first = samples.find((sample) => sample.checks > (samples[0]?.checks ?? 0) + CHECKS_PER_SECOND);
  const total = (samples.at(-1)?.checks ?? 0) - (samples[0]?.checks ?? 0);
  const begin = samples.find(({ at }) => first !== undefined && at >= first.at + WARM_UP_SECONDS * 1000);
  // The last tenth has bots that are done already.
  const end = samples.findLast(({ checks }) => checks - (samples[0]?.checks ?? 0) <= total * 0.9);
  if (begin === undefined || end === undefined || end.at <= begin.at) throw new Error('the run was too short');
  const checks = end.checks - begin.checks;
  return {
    perSecond: (checks * 1000) / (end.at - begin.at),
    floods: end.floods - begin.floods,
    workerCpu: (end.workerCpu - begin.workerCpu) / checks,
    telegramCpu: (end.telegramCpu - begin.telegramCpu) / checks,
  };
}

/** Returns how many getChatMember calls of a process succeeded and were refused with 429. */
async function readCalls(url: string): Promise<{ ok: number; flood: number }> {
  const page = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) })).text();
  const count = (outcome: string): number => {
    const line = new RegExp(
      `telegram_call_seconds_count\\{(?=[^}]*method="getChatMember")(?=[^}]*outcome="${outcome}")[^}]*\\} (\\d+)`,
    );
    return Number(line.exec(page)?.[1] ?? 0);
  };
  return { ok: count('ok'), flood: count('flood') };
}
