import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { createEmptyDatabase } from '../../test/support/database.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { readerOf } from './wire-values.ts';

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let relay: Server;
let db: OpenDatabase;
/** The types of the messages sent to PostgreSQL: P(arse), B(ind), D(escribe), E(xecute), S(ync). */
let sent = '';

before(async () => {
  server = await createEmptyDatabase();
  const target = new URL(server.url);
  relay = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    near.pipe(far).pipe(near);
    const read = messageTypes();
    near.on('data', (bytes: Buffer) => {
      sent += read(bytes);
    });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(server.url);
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  db = openDatabase({ url: url.href, poolSize: 1, onError: () => undefined });
  await db.query('SELECT 1 AS warm');
});
beforeEach(() => {
  sent = '';
});
after(async () => {
  await db.close();
  relay.close();
  await server.drop();
});

/** Returns a function that reads message types from a byte stream. The first message of a connection has no type. */
function messageTypes(): (bytes: Buffer) => string {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let types = '';
    for (;;) {
      const header = isFirst ? 0 : 1;
      if (rest.length < header + 4) return types;
      const length = header + rest.readInt32BE(header);
      if (rest.length < length) return types;
      if (!isFirst) types += String.fromCharCode(rest[0] ?? 0);
      isFirst = false;
      rest = rest.subarray(length);
    }
  };
}

describe('messages to PostgreSQL', () => {
  const oneTransaction = () =>
    db.transaction(
      (tx) => Promise.all([tx.query('SELECT 11 AS a'), tx.query('SELECT 12 AS b'), tx.query('SELECT 11 AS a')]),
      (tx) => tx.query('SELECT 13 AS c'),
    );

  test('BEGIN and COMMIT join a batch; each statement is parsed and described once per connection', async () => {
    assert.deepEqual(await oneTransaction(), [{ c: 13 }]);
    assert.equal(sent, `${'PBDE'.repeat(4)}BES${'PBDE'.repeat(2)}S`);
    sent = '';
    assert.deepEqual(await oneTransaction(), [{ c: 13 }]);
    assert.equal(sent, `${'BE'.repeat(5)}S${'BE'.repeat(2)}S`);
  });

  test('a transaction with only last writes takes one round trip, an empty one takes none', async () => {
    await db.transaction(
      async () => undefined,
      (tx) => Promise.all([tx.query('SELECT 11 AS a'), tx.query('SELECT 12 AS b')]),
    );
    assert.equal(sent, `${'BE'.repeat(5)}S`);
    sent = '';
    assert.equal(await db.transaction(async () => 'nothing'), 'nothing');
    assert.equal(sent, '');
  });

  test('statements that await each other take one round trip each', async () => {
    await db.transaction(async (tx) => {
      await tx.query('SELECT 11 AS a');
      await tx.query('SELECT 12 AS b');
    });
    assert.equal(sent, 'BEBEBESBESBES');
  });

  test('a migration that changes the columns of a statement replaces the connection', async () => {
    await db.query('CREATE TABLE changing (value integer)');
    await db.query('INSERT INTO changing VALUES (1)');
    const read = 'SELECT * FROM changing';
    assert.deepEqual(await db.query(read), [{ value: 1 }]);
    await db.query('ALTER TABLE changing ALTER value TYPE bigint, ADD more text');
    assert.deepEqual(await db.query(read), [{ value: 1n, more: null }]);
    await db.query('ALTER TABLE changing DROP more');
    assert.deepEqual(await db.transaction((tx) => tx.query(read)), [{ value: 1n }]);
  });

  test('behind a pooler every statement is described, because the server connection may change', async () => {
    const pooled = openDatabase({
      url: server.url,
      poolUrl: `${db.url}?application_name=pooled`,
      poolSize: 1,
      onError: () => undefined,
    });
    for (let i = 0; i < 2; i++) assert.deepEqual(await pooled.query('SELECT 11 AS a'), [{ a: 11 }]);
    await pooled.close();
    assert.match(sent, /PBDESBDESX?$/);
  });
});

describe('values', () => {
  test('rows equal those of the driver', async () => {
    const sql = `SELECT i, i::bigint AS big, i::numeric / 3 AS part, i::float8 / 3 AS real, i % 2 = 0 AS even, i::text || 'ё😀' AS text,
        NULL::text AS none, '2026-03-01'::date + i AS day, '2026-03-01T12:00:00.5+03'::timestamptz AS moment,
        jsonb_build_object('a', i, 'b', NULL) AS data, ARRAY[i, NULL] AS list, ARRAY[i::bigint] AS bigs,
        ARRAY['a,b', NULL, '"'] AS texts, '\\x00ff'::bytea AS bytes, '' AS empty, i AS "odd name", i AS i
      FROM generate_series(1, 3) i`;
    const client = new pg.Client({ connectionString: server.url, types: { getTypeParser: readerOf } });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    for (let i = 0; i < 2; i++) assert.deepStrictEqual(await db.query(sql), rows);
  });

  test('results of any size arrive complete, also next to small results', async () => {
    const [many, wide, small] = await db.transaction((tx) =>
      Promise.all([
        tx.query<{ i: number; text: string }>(
          `SELECT i, repeat('x', i % 100) AS text FROM generate_series(1, 50000) i`,
        ),
        tx.query<{ text: string }>(`SELECT repeat('ё', $1) AS text`, [3_000_000]),
        tx.query('SELECT 1 AS one'),
      ]),
    );
    assert.equal(many.length, 50_000);
    assert.ok(many.every(({ i, text }, at) => i === at + 1 && text.length === i % 100));
    assert.equal(wide[0]?.text, 'ё'.repeat(3_000_000));
    assert.deepEqual(small, [{ one: 1 }]);
  });

  test('parameters of any size and number arrive complete, and too many parameters are rejected', async () => {
    const long = 'ё😀"\\'.repeat(300_000);
    const [back] = await db.query<{ text: string }>('SELECT $1::text AS text', [long]);
    assert.equal(back?.text, long);
    const numbers = Array.from({ length: 65_535 }, (_, i) => i);
    const sum = `SELECT ${numbers.map((i) => `$${i + 1}::bigint`).join('+')} AS sum`;
    assert.deepEqual(await db.query(`SELECT cardinality($1::integer[]) AS n`, [numbers]), [{ n: 65_535 }]);
    const few = numbers.slice(0, 2_000);
    const [total] = await db.query<{ sum: bigint }>(
      `SELECT ${few.map((i) => `$${i + 1}::bigint`).join('+')} AS sum`,
      few,
    );
    assert.equal(total?.sum, 1_999_000n);
    await assert.rejects(db.query(sum, [...numbers, 1]), TypeError);
  });

  test('null and undefined become NULL, and bytes arrive unchanged', async () => {
    const bytes = Buffer.from([0, 1, 254, 255]);
    const [row] = await db.query('SELECT $1::text AS a, $2::integer AS b, $3::bytea AS c, $4::jsonb AS d', [
      null,
      undefined,
      bytes,
      { nested: [1, null] },
    ]);
    assert.deepEqual(row, { a: null, b: null, c: bytes, d: { nested: [1, null] } });
  });
});
