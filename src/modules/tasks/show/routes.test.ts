import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Value } from 'typebox/value';
import type { Order } from '../../orders/index.ts';
import { GetSponsorsResponse } from '../schemas.ts';
import { taskWith } from '../task.fixture.ts';
import { TASK_STATES, type TaskState } from '../task.ts';
import type { TaskWithOrder } from './get-sponsors.ts';
import { presentSponsors } from './routes.ts';

describe('get-sponsors', () => {
  const task = (id: number, state: TaskState = 'shown', type: 'channel' | 'bot' = 'channel'): TaskWithOrder => ({
    task: taskWith({ orderId: id, state }),
    // Only the fields that the response contains.
    order: {
      id,
      link: 'https://t.me/of-the-order',
      title: `Sponsor ${id}`,
      resource: { id: 900 + id, type, chatId: -100 - id, botTokenEncrypted: Buffer.from('sealed') },
      name: 'an internal name',
    } as unknown as Order,
    link: `https://t.me/sponsor${id}`,
  });
  const present = (tasks: readonly TaskWithOrder[]) => {
    const body = presentSponsors(tasks);
    assert.ok(Value.Check(GetSponsorsResponse, body), JSON.stringify(body));
    return body;
  };

  test('without tasks the response is ok, an empty list and a message', () => {
    const { message, ...rest } = present([]);
    assert.deepEqual(rest, { status: 'ok', sponsors: [] });
    assert.ok(message !== undefined && message.length > 0);
  });

  test('with tasks the response is warning and the tasks in order, with the fields of the contract and the reward', () => {
    assert.deepEqual(present([task(2, 'shown', 'bot'), task(1)]), {
      status: 'warning',
      sponsors: [
        {
          ads_id: 2,
          link: 'https://t.me/sponsor2',
          resource_type: 'bot',
          title: 'Sponsor 2',
          status: 'unsubscribed',
          reward: 7,
        },
        {
          ads_id: 1,
          link: 'https://t.me/sponsor1',
          resource_type: 'channel',
          title: 'Sponsor 1',
          status: 'unsubscribed',
          reward: 7,
        },
      ],
    });
  });

  test('every state maps to one of the four statuses of the contract', () => {
    for (const state of TASK_STATES) {
      const [sponsor] = present([task(1, state)]).sponsors;
      assert.ok(['subscribed', 'unsubscribed', 'notgetted', 'hold'].includes(sponsor?.status ?? ''), state);
    }
  });
});
