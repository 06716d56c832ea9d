import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutageLog } from './outage-log.ts';

test('an outage is logged at its first failure, then once a minute with the count, and at its end', () => {
  let now = 0;
  const lines: (number | string)[] = [];
  const outage = createOutageLog(() => now);
  const fail = (): void => outage.failed((failures) => lines.push(failures));
  const recover = (): void => outage.recovered(() => lines.push('over'));
  recover();
  for (; now < 120_000; now += 500) fail();
  recover();
  recover();
  fail();
  assert.deepEqual(lines, [1, 120, 'over', 1]);
});
