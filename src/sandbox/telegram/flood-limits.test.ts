import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALLS_A_SECOND, createFloodLimits } from './flood-limits.ts';

function limitsAt(startMs = 0) {
  let nowMs = startMs;
  const limits = createFloodLimits({ now: () => new Date(nowMs) });
  return {
    count: (method: string, chatId?: string, token = 'a') => limits.count({ token, method, chatId }),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('a token makes 30 calls within any second, and rejected calls do not count', () => {
  const { count, pass } = limitsAt();
  for (let call = 0; call < CALLS_A_SECOND; call++) assert.equal(count('getchatmember', '-100'), 0);
  assert.equal(count('getchatmember', '-100'), 1);
  assert.equal(count('getchatmember', '-100', 'another token'), 0);
  assert.equal(count('getupdates'), 0);
  pass(999);
  assert.equal(count('getme'), 1);
  pass(1);
  assert.equal(count('getme'), 0);
});

test('a chat accepts one message a second, and any number of other calls', () => {
  const { count, pass } = limitsAt();
  assert.equal(count('sendmessage', '5'), 0);
  assert.equal(count('editmessagetext', '5'), 1);
  assert.equal(count('sendmessage', '6'), 0);
  assert.equal(count('getchatmember', '5'), 0);
  assert.equal(count('deletemessage', '5'), 0);
  pass(1_000);
  assert.equal(count('editmessagetext', '5'), 0);
});
