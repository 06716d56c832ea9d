import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  canReopen,
  findChanges,
  isAccessFraud,
  isApprovalFraud,
  isLargePayout,
  isRemovalFraud,
  isSelfDealing,
  publisherRisk,
  type ResourceLook,
} from './rules.ts';

describe('rules about advertisers', () => {
  test('three removals that are 5 % of the subscriptions are a case', () => {
    assert.equal(isRemovalFraud({ removed: 3, counted: 60 }), true);
    assert.equal(isRemovalFraud({ removed: 3, counted: 61 }), false);
    assert.equal(isRemovalFraud({ removed: 2, counted: 2 }), false);
  });

  test('access lost near the end of three windows, or three times, is a case', () => {
    assert.equal(isAccessFraud({ nearWindowEnd: 3, times: 1 }), true);
    assert.equal(isAccessFraud({ nearWindowEnd: 2, times: 2 }), false);
    assert.equal(isAccessFraud({ nearWindowEnd: 0, times: 3 }), true);
  });

  test('an approval rate under half of twenty replies is a case', () => {
    assert.equal(isApprovalFraud({ rejected: 11, approved: 9 }), true);
    assert.equal(isApprovalFraud({ rejected: 10, approved: 10 }), false);
    assert.equal(isApprovalFraud({ rejected: 19, approved: 0 }), false);
  });
});

test('five subscriptions between connected accounts are a case', () => {
  assert.equal(isSelfDealing({ subscriptions: 5 }), true);
  assert.equal(isSelfDealing({ subscriptions: 4 }), false);
});

test('a payout above the limit is large; without a limit none is', () => {
  assert.equal(isLargePayout(100_001n, 100_000n), true);
  assert.equal(isLargePayout(100_000n, 100_000n), false);
  assert.equal(isLargePayout(10n ** 12n, 0n), false);
});

describe('a change after moderation', () => {
  const moderated: ResourceLook = {
    title: 'News of the city',
    link: 'https://t.me/city_news',
    chatTitle: 'City news',
    chatUsername: 'city_news',
  };
  const fieldsOf = (now: Partial<ResourceLook>): string[] =>
    findChanges(moderated, { ...moderated, ...now }).map(({ field }) => field);

  test('is a new name, or a title that shares less than half of its words', () => {
    assert.deepEqual(fieldsOf({}), []);
    assert.deepEqual(fieldsOf({ chatTitle: 'Casino 777' }), ['chat_title']);
    assert.deepEqual(fieldsOf({ title: 'Win money now' }), ['title']);
    assert.deepEqual(fieldsOf({ chatUsername: 'casino_777' }), ['chat_username']);
    assert.deepEqual(fieldsOf({ chatUsername: null }), ['chat_username']);
    assert.deepEqual(fieldsOf({ link: 'https://t.me/casino_777' }), ['link']);
  });

  test('is not an emoji, a case, a corrected word or an invite link', () => {
    assert.deepEqual(fieldsOf({ chatTitle: '🔥 CITY NEWS!' }), []);
    assert.deepEqual(fieldsOf({ title: 'News of our city' }), []);
    assert.deepEqual(fieldsOf({ chatUsername: 'City_News' }), []);
    assert.deepEqual(fieldsOf({ link: 'https://t.me/+AbCdEf' }), []);
    assert.deepEqual(fieldsOf({ link: 'https://t.me/city_news?start=1' }), []);
  });

  test('needs a description of the chat before and now', () => {
    assert.deepEqual(fieldsOf({ chatTitle: null, chatUsername: null }), []);
    assert.deepEqual(findChanges({ ...moderated, chatTitle: null }, { ...moderated, chatTitle: 'Casino' }), []);
  });
});

test('after a decision about a low score an operator is not asked again for a week', () => {
  const decided = new Date('2026-11-01T12:00:00Z');
  assert.equal(canReopen('low_quality', decided, new Date('2026-11-08T11:59:59Z')), false);
  assert.equal(canReopen('low_quality', decided, new Date('2026-11-08T12:00:00Z')), true);
  assert.equal(canReopen('removals', decided, new Date('2026-11-01T12:00:01Z')), true);
});

test('the risk of a publisher is what was earned and is still here', () => {
  assert.equal(publisherRisk(500n, 300n), 300n);
  assert.equal(publisherRisk(200n, 300n), 200n);
  assert.equal(publisherRisk(-5n, 300n), 0n);
  assert.equal(publisherRisk(200n, -1n), 0n);
});
