import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { formatEventId, lowestEventId, newEventId, parseEventId } from './event-id.ts';
import { EVENT_DATA, EVENT_TYPES, TEST_EVENT_TYPE, TestEventData } from './registry.ts';

const SAMPLES = join(import.meta.dirname, '../../../docs/webhook-events');

test('every event type has a complete sample in the documentation that matches its schema', async () => {
  const schemas = { ...EVENT_DATA, [TEST_EVENT_TYPE]: TestEventData };
  const names = (await readdir(SAMPLES)).sort();
  assert.deepEqual(names, [...EVENT_TYPES, TEST_EVENT_TYPE].map((type) => `${type}.json`).sort());
  for (const [type, data] of Object.entries(schemas)) {
    const sample: unknown = JSON.parse(await readFile(join(SAMPLES, `${type}.json`), 'utf8'));
    const message = Type.Object(
      {
        type: Type.Literal(type),
        id: Type.String({ pattern: '^evt_[0-9a-f]{32}$' }),
        timestamp: Type.String(),
        sequence: Type.Integer({ minimum: 1 }),
        data: { ...data, additionalProperties: false },
      },
      { additionalProperties: false },
    );
    assert.deepEqual([...Value.Errors(message, sample)], [], type);
  }
});

test('ids sort by time, then by position in the batch, and lowestEventId separates earlier from later events', () => {
  const early = new Date('2026-01-01T00:00:00.000Z');
  const late = new Date('2026-01-01T00:00:00.001Z');
  const ids = [newEventId(early, 0), newEventId(early, 1), newEventId(early, 300), newEventId(late, 0)];
  assert.deepEqual([...ids].sort(), ids);
  assert.ok(
    ids.every((id) => /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id)),
    'UUIDs of version 7',
  );
  const bound = lowestEventId(late);
  assert.deepEqual(
    ids.map((id) => id >= bound),
    [false, false, false, true],
  );
  assert.equal(new Set(Array.from({ length: 1000 }, () => newEventId(early, 0))).size, 1000);
});

test('a public id is evt_ followed by the internal id, and no other text is accepted', () => {
  const id = newEventId(new Date(), 5);
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  assert.equal(formatEventId(uuid), `evt_${id}`);
  assert.equal(parseEventId(`evt_${id}`), id);
  for (const text of [id, `evt_${uuid}`, `evt_${id}0`, 'evt_', `EVT_${id}`])
    assert.equal(parseEventId(text), undefined);
});
