import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { addSeconds, type Clock } from '../../core/clock.ts';
import { openAccount, saveBan } from '../accounts/index.ts';
import { type Post, sendBroadcasts } from './send-broadcasts.ts';
import { startBroadcast } from './start-broadcast.ts';
import { findBroadcast, saveStopped } from './store.ts';

const START = new Date('2026-05-10T12:00:00Z');
const PEOPLE = 45;
const never = new AbortController().signal;

describe('sending a broadcast', () => {
  let database: TestDatabase;
  let now = START;
  let keys = 0;
  const clock: Clock = { now: () => now };

  before(async () => {
    database = await createTestDatabase();
    await database.db.transaction(async (tx) => {
      for (let id = 1; id <= PEOPLE; id++) await openAccount(tx, { telegramUserId: id, name: 'P', at: START });
    });
  });
  after(() => database.drop());
  beforeEach(() => {
    now = addSeconds(START, 60);
  });

  const begin = (): Promise<number> =>
    database.db.transaction(async (tx) => {
      const text = { textRu: 'Привет', textEn: 'Hello', operatorId: 1 };
      const outcome = await startBroadcast(tx, { ...text, key: `key ${++keys}`, at: now });
      assert.equal(outcome.kind, 'started');
      return outcome.kind === 'started' ? outcome.broadcast.id : 0;
    });

  const sending = (post: Post, signal = never): Promise<number> =>
    sendBroadcasts({ db: database.db, clock, post }, signal);

  it('reaches every account once when several workers send, at no more than 20 messages a second', async () => {
    const id = await begin();
    const got: number[] = [];
    const times: number[] = [];
    const post: Post = async (userId) => {
      got.push(userId);
      times.push(performance.now());
      return { kind: 'sent' };
    };
    const sent = await Promise.all([sending(post), sending(post), sending(post)]);
    assert.deepEqual(sent.toSorted(), [0, 0, PEOPLE]);
    assert.deepEqual(
      got.toSorted((a, b) => a - b),
      Array.from({ length: PEOPLE }, (_, i) => i + 1),
    );
    for (const [index, time] of times.entries()) {
      const twentieth = times[index + 20];
      // A single timer may fire slightly early, but twenty of them do not add up to 100 ms.
      if (twentieth !== undefined) assert.ok(twentieth - time > 900, `21 messages in ${twentieth - time} ms`);
    }
    const broadcast = await findBroadcast(database.db, id);
    assert.deepEqual([broadcast?.sent, broadcast?.failed, broadcast?.total], [PEOPLE, 0, PEOPLE]);
    assert.ok(broadcast?.finishedAt);
  });

  it('continues in another worker when the lease ends, and the first worker sends no more', async () => {
    await begin();
    const got: number[] = [];
    const { promise: frozen, resolve: thaw } = Promise.withResolvers<void>();
    const first = sending(async (userId) => {
      got.push(userId);
      if (got.length === 3) await frozen;
      return { kind: 'sent' };
    });
    await eventually('the first is in the middle of it', () => got.length === 3);
    const post: Post = async (userId) => {
      got.push(userId);
      return { kind: 'sent' };
    };
    assert.equal(await sending(post), 0, 'the lease holds');
    now = addSeconds(now, 31);
    const second = sending(post);
    await eventually('the second has taken over', () => got.length >= 5);
    thaw();
    assert.deepEqual(await Promise.all([first, second]), [3, PEOPLE - 2]);
    assert.equal(new Set(got).size, PEOPLE, 'everybody got it');
    assert.equal(got.length, PEOPLE + 1, 'and the one of whom nothing was written down got it twice');
  });

  it('stops when its process stops, and continues in the next run', async () => {
    const id = await begin();
    const stopping = new AbortController();
    let count = 0;
    const post: Post = async () => {
      if (++count === 5) stopping.abort();
      return { kind: 'sent' };
    };
    assert.equal(await sending(post, stopping.signal), 5);
    assert.equal(await sending(post), PEOPLE - 5, 'without waiting for a lease');
    assert.ok((await findBroadcast(database.db, id))?.finishedAt);
  });

  it('stops at once when an operator stops it', async () => {
    const id = await begin();
    let count = 0;
    await sending(async () => {
      if (++count === 4) await database.db.transaction((tx) => saveStopped(tx, id, now));
      return { kind: 'sent' };
    });
    assert.equal(count, 4);
    const broadcast = await findBroadcast(database.db, id);
    assert.deepEqual([broadcast?.sent, broadcast?.finishedAt], [4, null]);
  });

  it('skips banned accounts', async () => {
    await database.db.transaction((tx) => saveBan(tx, { accountId: 7, reason: 'fraud', at: now }));
    await begin();
    const got: number[] = [];
    await sending(async (userId) => {
      got.push(userId);
      return userId === 8 ? { kind: 'refused' } : { kind: 'sent' };
    });
    assert.ok(!got.includes(7));
    assert.equal(got.length, PEOPLE - 1);
  });
});
