import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../../core/database.ts';
import { foldTransfers } from './fold-transfers.ts';

test('transfers older than 400 days are folded a thousand at a time until none is left', async () => {
  const asked: (readonly unknown[])[] = [];
  const folded = [1_000, 7, 0];
  const query = async (_: string, params: readonly unknown[]) => {
    asked.push(params);
    return [{ folded: folded[asked.length - 1] }];
  };
  const clock = { now: () => new Date('2026-05-10T12:00:00Z') };
  assert.equal(await foldTransfers({ db: { query } as unknown as Queryable, clock }), 1_007);
  const olderThan = new Date('2025-04-05T12:00:00Z');
  assert.deepEqual(asked, [
    [olderThan, 1_000],
    [olderThan, 1_000],
    [olderThan, 1_000],
  ]);
});
