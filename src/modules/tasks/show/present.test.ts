import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Value } from 'typebox/value';
import type { Order } from '../../orders/index.ts';
import type { ConfirmOutcome } from '../confirm/confirm-rules.ts';
import { taskWith } from '../task.fixture.ts';
import { TASK_STATES, type TaskState } from '../task.ts';
import type { SponsorTask } from './describe-tasks.ts';
import { presentConfirm, presentSponsors } from './present.ts';
import { ConfirmAnswer, GetSponsorsAnswer } from './schemas.ts';

describe('confirm', () => {
  const answer = (outcome: ConfirmOutcome) => {
    const body = presentConfirm(outcome);
    assert.ok(Value.Check(ConfirmAnswer, body), JSON.stringify(body));
    const { message, ...rest } = body;
    assert.ok(message.length > 0);
    return rest;
  };
  const denied = { status: 'warning', subscribed: false, grant_access: false, credit_status: 'none' };

  test('counted is ok, true and the rubles credited, in hold or paid', () => {
    const counted = { status: 'ok', subscribed: true, code: 'counted', grant_access: true };
    assert.deepEqual(answer({ kind: 'counted', rewardKopecks: 705n, inHold: true }), {
      ...counted,
      credited: 7.05,
      credit_status: 'hold',
    });
    assert.deepEqual(answer({ kind: 'counted', rewardKopecks: 1n, inHold: false }), {
      ...counted,
      credited: 0.01,
      credit_status: 'paid',
    });
  });

  test('pending is ok, true and the rubles expected, without a credit', () => {
    assert.deepEqual(answer({ kind: 'pending', rewardKopecks: 705n }), {
      status: 'ok',
      subscribed: true,
      expected: 7.05,
      code: 'pending',
      grant_access: true,
      credit_status: 'pending',
    });
  });

  test('already counted is ok, true, 0 and lets the user in', () => {
    assert.deepEqual(answer({ kind: 'not_counted' }), {
      status: 'ok',
      subscribed: true,
      credited: 0,
      code: 'already_counted',
      grant_access: true,
      credit_status: 'not_counted',
    });
  });

  test('a late confirm without room is ok, true, 0 and lets the user in', () => {
    assert.deepEqual(answer({ kind: 'order_full' }), {
      status: 'ok',
      subscribed: true,
      credited: 0,
      code: 'order_full',
      grant_access: true,
      credit_status: 'not_counted',
    });
  });

  test('everything else is warning, false, without a credit and without access', () => {
    assert.deepEqual(answer({ kind: 'not_subscribed' }), { ...denied, code: 'not_subscribed' });
    assert.deepEqual(answer({ kind: 'not_shown' }), { ...denied, code: 'not_shown' });
    assert.deepEqual(answer({ kind: 'banned' }), { ...denied, code: 'user_banned' });
    assert.deepEqual(answer({ kind: 'unavailable' }), { ...denied, code: 'check_unavailable' });
    assert.deepEqual(answer({ kind: 'order_not_found' }), { ...denied, code: 'order_not_found' });
  });

  test('the messages that are decided are these, and the one for a silent Telegram asks to try again', () => {
    assert.equal(presentConfirm({ kind: 'not_shown' }).message, 'Sponsor was not shown');
    assert.equal(presentConfirm({ kind: 'banned' }).message, 'User is banned');
    assert.match(presentConfirm({ kind: 'unavailable' }).message, /try again/);
  });
});

describe('get-sponsors', () => {
  const task = (id: number, state: TaskState = 'shown', type: 'channel' | 'bot' = 'channel'): SponsorTask => ({
    task: taskWith({ orderId: id, state }),
    // Of an order only what is shown matters here.
    order: {
      id,
      link: 'https://t.me/of-the-order',
      title: `Sponsor ${id}`,
      resource: { id: 900 + id, type, chatId: -100 - id, botTokenEncrypted: Buffer.from('sealed') },
      name: 'an internal name',
    } as unknown as Order,
    link: `https://t.me/sponsor${id}`,
  });
  const present = (tasks: readonly SponsorTask[]) => {
    const body = presentSponsors(tasks);
    assert.ok(Value.Check(GetSponsorsAnswer, body), JSON.stringify(body));
    return body;
  };

  test('without tasks it is ok, an empty list and a message', () => {
    const { message, ...rest } = present([]);
    assert.deepEqual(rest, { status: 'ok', sponsors: [] });
    assert.ok(message !== undefined && message.length > 0);
  });

  test('with tasks it is warning and the tasks in order, with the fields of the contract and nothing else', () => {
    assert.deepEqual(present([task(2, 'shown', 'bot'), task(1)]), {
      status: 'warning',
      sponsors: [
        { ads_id: 2, link: 'https://t.me/sponsor2', resource_type: 'bot', title: 'Sponsor 2', status: 'unsubscribed' },
        {
          ads_id: 1,
          link: 'https://t.me/sponsor1',
          resource_type: 'channel',
          title: 'Sponsor 1',
          status: 'unsubscribed',
        },
      ],
    });
  });

  test('every status is one of the four that the contract knows', () => {
    for (const state of TASK_STATES) {
      const [sponsor] = present([task(1, state)]).sponsors;
      assert.ok(['subscribed', 'unsubscribed', 'notgetted', 'hold'].includes(sponsor?.status ?? ''), state);
    }
  });
});
