import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bot } from '../../bots/index.ts';
import type { Order } from '../../orders/index.ts';
import { NOON, taskWith } from '../task.fixture.ts';
import { type Barrier, barrierFor, sentFacts, type UserInBot } from './describe-user.ts';

const order = {
  id: 11,
  accountId: 2,
  resource: { id: 5, type: 'channel', chatId: -100 },
  excludedBotIds: new Set<number>(),
} as unknown as Order;

const bot = {
  id: 3,
  accountId: 9,
  excludedOrderIds: new Set<number>(),
  excludedResourceTypes: new Set<string>(),
} as unknown as Bot;

const userInBot = {
  bot,
  connectedAccounts: new Set(),
  history: { countedResources: new Set(), doneOrders: new Set(), doneResources: new Set() },
  listed: [],
  memberOf: new Map(),
} as unknown as UserInBot;

const withHistory = (changes: object): Partial<UserInBot> => ({ history: { ...userInBot.history, ...changes } });

test('an order has no barrier for an unknown user', () => {
  assert.equal(barrierFor(order, userInBot), undefined);
});

const CASES: readonly (readonly [what: string, barrier: Barrier, Partial<UserInBot>, Partial<Order>?])[] = [
  ["the bot's owner placed the order", 'own_order', { bot: { ...bot, accountId: 2 } }],
  ['the owners of bot and order are connected', 'connected_owner', { connectedAccounts: new Set([2]) }],
  ['the advertiser excluded the bot', 'excluded_by_advertiser', {}, { excludedBotIds: new Set([3]) }],
  ['the publisher excluded the order', 'excluded_by_publisher', { bot: { ...bot, excludedOrderIds: new Set([11]) } }],
  [
    'the publisher excluded the type',
    'excluded_by_publisher',
    { bot: { ...bot, excludedResourceTypes: new Set(['channel']) } },
  ],
  ['the user was counted for the resource', 'already_counted', withHistory({ countedResources: new Set([5]) })],
  ['the user is a member', 'already_member', { memberOf: new Map([[-100, NOON]]) }],
  ['the order was done in this bot', 'already_shown', withHistory({ doneOrders: new Set([11]) })],
  ['the resource was done in this bot', 'already_shown', withHistory({ doneResources: new Set([5]) })],
  ['the order is in the list', 'already_shown', { listed: [taskWith({ resourceId: 6 })] }],
  ['the resource is in the list by another order', 'already_shown', { listed: [taskWith({ orderId: 12 })] }],
];
for (const [what, barrier, changes, terms] of CASES) {
  test(`an order is not shown when ${what}`, () => {
    assert.equal(barrierFor({ ...order, ...terms }, { ...userInBot, ...changes }), barrier);
  });
}

test('history of other orders, bots and resources is no barrier', () => {
  const other: Partial<UserInBot> = {
    bot: { ...bot, excludedOrderIds: new Set([12]), excludedResourceTypes: new Set(['bot']) },
    ...withHistory({ countedResources: new Set([6]), doneOrders: new Set([12]), doneResources: new Set([6]) }),
    listed: [taskWith({ orderId: 12, resourceId: 6 })],
    memberOf: new Map([[-101, NOON]]),
    connectedAccounts: new Set([9]),
  };
  assert.equal(barrierFor({ ...order, excludedBotIds: new Set([4]) }, { ...userInBot, ...other }), undefined);
});

test('the stored facts have flags instead of names', () => {
  const facts = sentFacts({ userId: 1, firstName: 'Qwrtpsdfgh', username: 'user583920', languageCode: 'en' });
  assert.equal(facts.hasGeneratedName, true);
  assert.equal('isLanguageAssumed' in facts, false);
  assert.doesNotMatch(JSON.stringify(facts), /qwrt|user583920/i);
  const plain = sentFacts({ userId: 1, firstName: 'Анна', username: 'anna' });
  assert.equal('hasGeneratedName' in plain, false);
  assert.deepEqual([plain.languageCode, plain.isLanguageAssumed], ['ru', true]);
});
