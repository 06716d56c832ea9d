import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from '../../../core/secrets.ts';
import { clickIdOf, readClickId } from './record-postback.ts';

const secrets = createSecrets('s'.repeat(64));
const KEY = { userId: 5_000_000_001, botId: 3, orderId: 11 };

test('a click id identifies its task and fits into a start parameter of Telegram', () => {
  for (const key of [KEY, { userId: 1, botId: 1, orderId: 1 }, { userId: 2 ** 52, botId: 2 ** 52, orderId: 2 ** 52 }]) {
    const clickId = clickIdOf(secrets, key);
    assert.match(clickId, /^[\w-]{1,64}$/);
    assert.deepEqual(readClickId(secrets, clickId), key);
  }
});

test('a click id that was changed, shortened or extended is invalid', () => {
  const clickId = clickIdOf(secrets, KEY);
  for (let i = 0; i < clickId.length; i++) {
    if (clickId[i] === '-') continue;
    const other = clickId[i] === '0' ? '1' : '0';
    assert.equal(readClickId(secrets, clickId.slice(0, i) + other + clickId.slice(i + 1)), undefined, `place ${i}`);
  }
  for (const wrong of ['', clickId.slice(0, -1), clickId.slice(1), `${clickId}0`, clickId.toUpperCase(), `-${clickId}`])
    assert.equal(readClickId(secrets, wrong), undefined, wrong);
});

test('a click id of another service is invalid', () => {
  assert.equal(readClickId(createSecrets('t'.repeat(64)), clickIdOf(secrets, KEY)), undefined);
});
