import { CHANGES_CHANNEL, encodeChange } from '../core/changes.ts';
import type { Database } from '../core/database.ts';
import { ApiError } from '../core/errors.ts';
import type { Kopecks } from '../core/money.ts';
import type { World } from './exchange-setup.ts';
import { emptyServiceTables, lockSeeding, setSeeded } from './state-store.ts';
import type { Created, Emulator } from './telegram/index.ts';

const RUBLE: Kopecks = 100n;

/** People to be in the sandbox, ready to subscribe and to leave. */
const PERSONS = [
  { user_id: 100_001, first_name: 'Анна', username: 'anna_demo', language_code: 'ru' },
  { user_id: 100_002, first_name: 'Борис', username: 'boris_demo', language_code: 'ru', is_premium: true },
  { user_id: 100_003, first_name: 'Grace', username: 'grace_demo', language_code: 'en' },
  { user_id: 100_004, first_name: 'Oliver', username: 'oliver_demo', language_code: 'en' },
];

export const DEMO_BOT_USERNAME = 'demo_publisher_bot';
const PUBLISHER = { userId: 200_001, name: 'Demo publisher' };

interface DemoOrder {
  readonly type: 'channel' | 'bot';
  readonly title: string;
  readonly username: string;
  readonly priceKopecks: Kopecks;
  readonly quantity: number;
}

/** Three advertisers, six orders, at different prices. */
const ADVERTISERS: readonly { userId: number; name: string; orders: readonly DemoOrder[] }[] = [
  {
    userId: 300_001,
    name: 'Coffee House',
    orders: [
      { type: 'channel', title: 'Coffee every day', username: 'demo_coffee', priceKopecks: 3n * RUBLE, quantity: 500 },
      {
        type: 'channel',
        title: 'Barista notes',
        username: 'demo_barista',
        priceKopecks: 4n * RUBLE + 50n,
        quantity: 200,
      },
    ],
  },
  {
    userId: 300_002,
    name: 'Travel Club',
    orders: [
      { type: 'channel', title: 'Cheap flights', username: 'demo_flights', priceKopecks: 6n * RUBLE, quantity: 300 },
      { type: 'bot', title: 'Trip planner', username: 'demo_trip_bot', priceKopecks: 5n * RUBLE, quantity: 300 },
    ],
  },
  {
    userId: 300_003,
    name: 'Game Studio',
    orders: [
      { type: 'channel', title: 'Indie games', username: 'demo_games', priceKopecks: 2n * RUBLE, quantity: 1000 },
      { type: 'bot', title: 'Quiz night', username: 'demo_quiz_bot', priceKopecks: 7n * RUBLE + 25n, quantity: 100 },
    ],
  },
];

export interface DemoDeps {
  readonly db: Database;
  readonly world: World;
  readonly emulator: Emulator;
  readonly managementBotId: number;
}

/** Fills a new sandbox, once, whoever starts first. What a killed start left half done is thrown away and made anew. */
export async function ensureDemoData(deps: DemoDeps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const { isSeeded } = await lockSeeding(tx);
    if (isSeeded) return;
    await fill(deps);
  });
}

/** Throws everything away and makes the demo data again. */
export async function resetToDemoData(deps: DemoDeps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockSeeding(tx);
    await fill(deps);
    await tx.notify(CHANGES_CHANNEL, encodeChange({ kind: 'everything' }));
  });
}

/** Works on connections of its own while the caller's transaction holds the seeding lock. */
async function fill({ db, world, emulator, managementBotId }: DemoDeps): Promise<void> {
  await setSeeded(db, false);
  await emulator.reset();
  await db.transaction(emptyServiceTables);

  for (const person of PERSONS) taken(await emulator.createUser(person));
  taken(await emulator.createUser({ user_id: PUBLISHER.userId, first_name: PUBLISHER.name }));
  const publisher = await world.addAccount({ ...PUBLISHER, depositKopecks: 0n });
  await world.addBot({ accountId: publisher.id, username: DEMO_BOT_USERNAME, beta: true });

  for (const { userId, name, orders } of ADVERTISERS) {
    taken(await emulator.createUser({ user_id: userId, first_name: name }));
    const account = await world.addAccount({ userId, name, depositKopecks: 10_000n * RUBLE });
    for (const { type, title, username, priceKopecks, quantity } of orders) {
      const chat =
        type === 'bot'
          ? taken(await emulator.createBot({ title, username }))
          : taken(await emulator.createChannel({ title, username, adminBotId: managementBotId, silent: true }));
      await world.addOrder({ accountId: account.id, chatId: chat.chat_id, priceKopecks, quantity });
    }
  }
  await setSeeded(db, true);
}

function taken<T>(created: Created<T>): T {
  if (!created.ok) throw new ApiError('conflict', created.message);
  return created.value;
}
