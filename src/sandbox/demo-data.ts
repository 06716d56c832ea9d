import { publishChanges } from '../core/changes.ts';
import { addSeconds } from '../core/clock.ts';
import type { Transaction } from '../core/database.ts';
import { createDemoHistory, HISTORY_SECONDS } from './demo-history.ts';
import { createExchangeSetup, type ExchangeSetupDeps } from './exchange-setup.ts';
import { emptyServiceTables, lockSeeding, resumeJobs, setSeeded, stopJobs } from './state-store.ts';

/** The persons that a visitor of the sandbox page can act as. */
const PERSONS = [
  { user_id: 100_001, first_name: 'Анна', username: 'anna_demo', language_code: 'ru' },
  { user_id: 100_002, first_name: 'Борис', username: 'boris_demo', language_code: 'ru', is_premium: true },
  { user_id: 100_003, first_name: 'Grace', username: 'grace_demo', language_code: 'en' },
  { user_id: 100_004, first_name: 'Oliver', username: 'oliver_demo', language_code: 'en' },
];

/** An operator by default, see the setting OPERATOR_IDS. */
const OPERATOR = { user_id: 100_005, first_name: 'Olga', username: 'olga_operator' };

/** Channels without a bot, so that a visitor can add the management bot to one and advertise it. */
const OWN_CHANNELS = [
  { ownerId: 100_001, title: 'Дневник Анны', username: 'demo_anna_diary' },
  { ownerId: 100_003, title: 'Grace writes', username: 'demo_grace_writes' },
];

export const DEMO_BOT_USERNAME = 'demo_publisher_bot';
const PUBLISHER = { user_id: 200_001, name: 'Demo publisher' };

const demoOrder = (type: 'channel' | 'bot', title: string, username: string, price: number, quantity: number) => ({
  type,
  title,
  username,
  price,
  quantity,
});

const ADVERTISERS = [
  {
    userId: 300_001,
    name: 'Coffee House',
    orders: [
      demoOrder('channel', 'Coffee every day', 'demo_coffee', 3, 500),
      demoOrder('channel', 'Barista notes', 'demo_barista', 4.5, 200),
    ],
  },
  {
    userId: 300_002,
    name: 'Travel Club',
    orders: [
      demoOrder('channel', 'Cheap flights', 'demo_flights', 6, 300),
      demoOrder('bot', 'Trip planner', 'demo_trip_bot', 5, 300),
    ],
  },
  {
    userId: 300_003,
    name: 'Game Studio',
    orders: [
      demoOrder('channel', 'Indie games', 'demo_games', 2, 1000),
      demoOrder('bot', 'Quiz night', 'demo_quiz_bot', 7.25, 100),
    ],
  },
];

export interface DemoDeps extends ExchangeSetupDeps {
  readonly managementBotId: number;
  readonly hasHistory: boolean;
}

/**
 * Fills a new sandbox once, even when several processes start. Replaces demo data that a killed start left incomplete.
 */
export async function ensureDemoData(deps: DemoDeps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const { isSeeded } = await lockSeeding(tx);
    if (!isSeeded) await fill(tx, deps);
  });
}

/** Deletes everything and creates the demo data again. */
export async function resetToDemoData(deps: DemoDeps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockSeeding(tx);
    await fill(tx, deps);
    await publishChanges(tx, { kind: 'everything' });
  });
}

/** PostgreSQL ends a transaction that is idle for 30 seconds, and a slow machine may take longer to fill the tables. */
const AWAKE_MS = 5_000;

/** Uses connections of its own while the caller's transaction holds the seeding lock. */
async function fill(lock: Transaction, deps: DemoDeps): Promise<void> {
  const awake = setInterval(() => void lock.query('SELECT').catch(() => undefined), AWAKE_MS);
  try {
    await createDemoData(deps);
  } finally {
    clearInterval(awake);
  }
}

async function createDemoData(deps: DemoDeps): Promise<void> {
  const { db, emulator, managementBotId } = deps;
  const clock = createPastClock(addSeconds(deps.clock.now(), -HISTORY_SECONDS));
  const setup = createExchangeSetup({ ...deps, clock });
  await setSeeded(db, false);
  await stopJobs(db);
  await emulator.reset();
  await db.transaction(emptyServiceTables);

  for (const person of [...PERSONS, OPERATOR]) await emulator.createUser(person);
  await emulator.createUser({ user_id: PUBLISHER.user_id, first_name: PUBLISHER.name });
  const publisher = await setup.addAccount(PUBLISHER);
  const { bot } = await setup.addBot({ account_id: publisher.id, username: DEMO_BOT_USERNAME, beta: true });

  for (const { userId, name, orders } of ADVERTISERS) {
    await emulator.createUser({ user_id: userId, first_name: name });
    const account = await setup.addAccount({ user_id: userId, name, deposit: 10_000 });
    for (const { type, title, username, price, quantity } of orders) {
      const chat =
        type === 'bot'
          ? await emulator.createBot({ title, username, ownerId: userId })
          : await emulator.createChannel({
              title,
              username,
              ownerId: userId,
              adminBotId: managementBotId,
              silent: true,
            });
      await setup.addOrder({ account_id: account.id, chat_id: chat.chat_id, price_per_sub: price, quantity });
    }
  }
  if (deps.hasHistory) await createDemoHistory({ ...deps, clock, operatorId: OPERATOR.user_id }, bot);
  for (const channel of OWN_CHANNELS) await emulator.createChannel(channel);
  await setSeeded(db, true);
  await resumeJobs(db);
}

function createPastClock(begin: Date) {
  let time = begin;
  return {
    now: () => time,
    moveTo(next: Date) {
      time = next;
    },
  };
}
