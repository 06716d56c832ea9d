import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Value } from 'typebox/value';
import { ConfirmResponse } from '../schemas.ts';
import type { ConfirmOutcome } from './confirm-rules.ts';
import { presentConfirm } from './routes.ts';

describe('confirm', () => {
  const present = (outcome: ConfirmOutcome) => {
    const body = presentConfirm(outcome);
    assert.ok(Value.Check(ConfirmResponse, body), JSON.stringify(body));
    const { message, ...rest } = body;
    assert.ok(message.length > 0);
    return rest;
  };
  const denied = { status: 'warning', subscribed: false, grant_access: false, credit_status: 'none' };

  test('counted is ok, true and the rubles credited, in hold or paid', () => {
    const counted = { status: 'ok', subscribed: true, code: 'counted', grant_access: true };
    assert.deepEqual(present({ kind: 'counted', rewardKopecks: 705n, inHold: true }), {
      ...counted,
      credited: 7.05,
      credit_status: 'hold',
    });
    assert.deepEqual(present({ kind: 'counted', rewardKopecks: 1n, inHold: false }), {
      ...counted,
      credited: 0.01,
      credit_status: 'paid',
    });
  });

  test('pending is ok, true and the rubles expected, without a credit', () => {
    assert.deepEqual(present({ kind: 'pending', rewardKopecks: 705n }), {
      status: 'ok',
      subscribed: true,
      expected: 7.05,
      code: 'pending',
      grant_access: true,
      credit_status: 'pending',
    });
  });

  test('already counted is ok, true, 0 and lets the user in', () => {
    assert.deepEqual(present({ kind: 'not_counted' }), {
      status: 'ok',
      subscribed: true,
      credited: 0,
      code: 'already_counted',
      grant_access: true,
      credit_status: 'not_counted',
    });
  });

  test('a late confirm without a free slot is ok, true, 0 and lets the user in', () => {
    assert.deepEqual(present({ kind: 'order_full' }), {
      status: 'ok',
      subscribed: true,
      credited: 0,
      code: 'order_full',
      grant_access: true,
      credit_status: 'not_counted',
    });
  });

  test('everything else is warning, false, without a credit and without access', () => {
    assert.deepEqual(present({ kind: 'not_subscribed' }), { ...denied, code: 'not_subscribed' });
    assert.deepEqual(present({ kind: 'not_shown' }), { ...denied, code: 'not_shown' });
    assert.deepEqual(present({ kind: 'banned' }), { ...denied, code: 'user_banned' });
    assert.deepEqual(present({ kind: 'unavailable' }), { ...denied, code: 'check_unavailable' });
    assert.deepEqual(present({ kind: 'order_not_found' }), { ...denied, code: 'order_not_found' });
  });

  test('messages match the specification, and an unavailable check asks the user to try again', () => {
    assert.equal(presentConfirm({ kind: 'not_shown' }).message, 'Sponsor was not shown');
    assert.equal(presentConfirm({ kind: 'banned' }).message, 'User is banned');
    assert.match(presentConfirm({ kind: 'unavailable' }).message, /try again/);
  });
});
