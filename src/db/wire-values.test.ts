import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { readTimestamp } from './wire-values.ts';

describe('values sent to PostgreSQL and read back', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  async function returned<T>(type: string, values: readonly T[]): Promise<unknown> {
    const [row] = await database.db.query<{ back: unknown }>(`SELECT $1::${type}[] AS back`, [values]);
    return row?.back;
  }

  it('texts of any kind are unchanged', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    const odd = fc.constantFrom('"', '\\', '{}', ',', 'NULL', 'null', '', ' ', '\n', "'", '{"a":1}', '\\"', 'ё😀');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.oneof(text, odd)), { maxLength: 20 }), async (values) => {
        assert.deepEqual(await returned('text', values), values);
      }),
      { numRuns: 60 },
    );
  });

  it('numbers, booleans and NULL are unchanged', async () => {
    assert.deepEqual(await returned('bigint', [1, -1, 9_007_199_254_740_991, null]), [
      1n,
      -1n,
      9_007_199_254_740_991n,
      null,
    ]);
    assert.deepEqual(await returned('bigint', [-(2n ** 63n), 2n ** 63n - 1n]), [-(2n ** 63n), 2n ** 63n - 1n]);
    assert.deepEqual(await returned('boolean', [true, false, null]), [true, false, null]);
    assert.deepEqual(await returned('double precision', [0.1, 1e300, Number.NaN]), [0.1, 1e300, Number.NaN]);
    assert.deepEqual(await returned('text', []), []);
    assert.deepEqual(await returned('bytea', [Buffer.from([0, 255]), null]), [Buffer.from([0, 255]), null]);
  });

  it('timestamps keep their milliseconds, alone and in arrays', async () => {
    const moments = ['2026-05-05T21:30:00.123Z', '1999-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z'].map(
      (text) => new Date(text),
    );
    assert.deepEqual(await returned('timestamptz', [...moments, null]), [...moments, null]);
    for (const moment of moments) {
      const [row] = await database.db.query<{ back: Date }>('SELECT $1::timestamptz AS back', [moment]);
      assert.deepEqual(row?.back, moment);
    }
  });

  it('any timestamp that PostgreSQL writes is parsed as the driver parses it', () => {
    const drivers = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => unknown;
    const moment = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    const fraction = fc.option(
      fc.nat(999_999).map((micros) => `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`),
    );
    fc.assert(
      fc.property(moment, fraction, fc.constantFrom('+00', '+03', '-11:30'), (date, part, offset) => {
        const sub = part === '.' ? '' : (part ?? '');
        const text = `${date.toISOString().slice(0, 19).replace('T', ' ')}${sub}${offset}`;
        assert.deepEqual(readTimestamp(text), drivers(text), text);
      }),
    );
    for (const odd of ['infinity', '-infinity']) assert.equal(readTimestamp(odd), drivers(odd));
  });

  it('timestamps in every format of PostgreSQL are read to the millisecond', () => {
    for (const [text, iso] of [
      ['2026-05-05 21:30:00+00', '2026-05-05T21:30:00.000Z'],
      ['2026-05-05 21:30:00.1+00', '2026-05-05T21:30:00.100Z'],
      ['2026-05-05 21:30:00.123999+00', '2026-05-05T21:30:00.123Z'],
      ['2026-05-05 21:30:00.12+00', '2026-05-05T21:30:00.120Z'],
      ['2026-05-05 21:30:00.007+00', '2026-05-05T21:30:00.007Z'],
      ['0999-12-31 23:59:59.999999+00', '0999-12-31T23:59:59.999Z'],
      ['12026-05-05 21:30:00+00', '+012026-05-05T21:30:00.000Z'],
      ['2026-05-05 21:30:00+05:30', '2026-05-05T16:00:00.000Z'],
      ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
      ['2026-05-05 21:30:00.5+03', '2026-05-05T18:30:00.500Z'],
    ] as const) {
      assert.equal(readTimestamp(text).toISOString(), iso, text);
    }
  });
});
