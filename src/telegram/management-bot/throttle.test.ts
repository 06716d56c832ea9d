import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createThrottle } from './throttle.ts';

describe('the throttle', () => {
  it('refuses a flood of one chat, warns it once, and admits it again later', () => {
    let now = 0;
    const admit = createThrottle(() => now);
    const first = Array.from({ length: 500 }, () => admit(1));
    assert.equal(first.filter((admission) => admission === 'admitted').length, 120);
    assert.equal(first.filter((admission) => admission === 'refused_with_warning').length, 1);
    now += 1_000;
    assert.equal(Array.from({ length: 100 }, () => admit(1)).filter((one) => one === 'admitted').length, 8);
    now += 60_000;
    assert.equal(admit(1), 'admitted');
  });

  it('admits other chats during a flood of one', () => {
    const admit = createThrottle(() => 0);
    for (let i = 0; i < 500; i++) admit(1);
    assert.equal(admit(2), 'admitted');
  });
});
