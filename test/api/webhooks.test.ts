import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../support/books.ts';
import { useWebhooks } from '../support/webhooks.ts';

const world = useWebhooks();
const URL_OF_MINE = 'https://example.com/hook';

test('the secret of a new endpoint is shown once and stored only encrypted', async () => {
  const owner = await world.owner();
  const created = await world.call('POST', '', owner.token, {
    url: `${URL_OF_MINE}#fragment`,
    events: ['payout.sent', 'subscription.confirmed', 'payout.sent'],
    unknown: 'ignored',
  });
  assert.equal(created.status, 201);
  const { webhook_id: id, secret, ...rest } = created.body;
  assert.ok(Number.isInteger(id));
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = {
    url: URL_OF_MINE,
    events: ['payout.sent', 'subscription.confirmed'],
    format: 'sponsorgate',
    is_enabled: true,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    previous_secret_expires_at: null,
    created_at: world.clock.now().toISOString().replace('Z', '+00:00'),
  };
  assert.deepEqual(rest, shown);
  const list = await world.call('GET', '', owner.token);
  assert.deepEqual([list.status, list.body], [200, { webhooks: [{ webhook_id: id, ...shown }] }]);
  const [row] = await query<{ text: string }>(
    world.database.url,
    `SELECT e::text || encode(secret_encrypted, 'escape') AS text FROM webhook_endpoints e WHERE id = $1`,
    [id],
  );
  assert.ok(row);
  assert.ok(!row.text.includes(secret.slice(6, 30)), 'the secret is readable in the database');
});

const WRONG: Readonly<Record<string, readonly [body: unknown, field: string]>> = {
  'no url': [{ events: ['payout.sent'] }, 'url'],
  'a url that is no text': [{ url: 5, events: ['payout.sent'] }, 'url'],
  'a url of another protocol': [{ url: 'ftp://example.com', events: ['payout.sent'] }, 'url'],
  'a url with a password': [{ url: 'https://a:b@example.com', events: ['payout.sent'] }, 'url'],
  'a private address': [{ url: 'http://10.1.2.3/', events: ['payout.sent'] }, 'url'],
  'cloud metadata in decimal': [{ url: 'http://2852039166/', events: ['payout.sent'] }, 'url'],
  'a url that is too long': [{ url: `https://example.com/${'a'.repeat(2048)}`, events: ['payout.sent'] }, 'url'],
  'no events': [{ url: URL_OF_MINE }, 'events'],
  'an empty list of events': [{ url: URL_OF_MINE, events: [] }, 'events'],
  'an unknown event': [{ url: URL_OF_MINE, events: ['payout.sent', 'payout.lost'] }, 'events'],
  'the test event, which nobody subscribes to': [{ url: URL_OF_MINE, events: ['webhook.test'] }, 'events'],
};

for (const [what, [body, field]] of Object.entries(WRONG)) {
  test(`an endpoint with ${what} is refused, and the error names the field`, async () => {
    const owner = await world.owner();
    const refused = await world.call('POST', '', owner.token, body);
    assert.deepEqual([refused.status, refused.body.detail], [422, 'Validation error']);
    assert.equal(refused.body.errors[0].field.split('.')[0], field);
    assert.deepEqual((await world.must('GET', '', owner.token)).webhooks, []);
  });
}

test('an account has at most ten endpoints, even after simultaneous requests', async () => {
  const owner = await world.owner();
  const create = () => world.call('POST', '', owner.token, { url: URL_OF_MINE, events: ['payout.sent'] });
  const answers = await Promise.all(Array.from({ length: 14 }, create));
  assert.deepEqual(
    answers.map((answered) => answered.status).sort((a, b) => a - b),
    [...Array<number>(10).fill(201), ...Array<number>(4).fill(422)],
  );
  assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'too_many_webhooks'));
  const { webhooks } = await world.must('GET', '', owner.token);
  await world.must('DELETE', `/${webhooks[0].webhook_id}`, owner.token);
  assert.equal((await create()).status, 201, 'a deleted one makes room');
});

const ROUTES = [
  ['POST', '', { url: URL_OF_MINE, events: ['payout.sent'] }],
  ['GET', '', undefined],
  ['DELETE', '/:id', undefined],
  ['POST', '/:id/test', undefined],
  ['POST', '/:id/rotate-secret', undefined],
  ['POST', '/:id/enable', undefined],
  ['GET', '/:id/deliveries', undefined],
  ['POST', '/:id/replay', { since: '2026-01-01T00:00:00Z' }],
] as const;

test('every route returns 401 without a token or without beta access, and changes nothing', async () => {
  const owner = await world.owner();
  const { endpointId } = await world.endpoint(owner, URL_OF_MINE);
  const before = await world.must('GET', '', owner.token);
  const outsider = await world.owner([]);
  for (const token of ['', 'at_wrong', outsider.token]) {
    for (const [method, path, body] of ROUTES) {
      const refused = await world.call(method, path.replace(':id', String(endpointId)), token, body);
      assert.deepEqual(
        [refused.status, refused.body.detail, refused.body.code],
        [401, 'Invalid or inactive Bot API Key', 'invalid_token'],
        `${method} ${path}`,
      );
    }
  }
  assert.deepEqual(await world.must('GET', '', owner.token), before);
});

test('every route returns 404 for an endpoint that is unknown, deleted or owned by another account', async () => {
  const owner = await world.owner();
  const mine = await world.endpoint(owner, URL_OF_MINE);
  const deleted = await world.endpoint(owner, URL_OF_MINE);
  await world.must('DELETE', `/${deleted.endpointId}`, owner.token);
  const before = await world.must('GET', '', owner.token);
  const stranger = await world.owner();
  const cases = [
    [stranger.token, mine.endpointId],
    [owner.token, 999_999_999],
    [owner.token, deleted.endpointId],
  ] as const;
  for (const [token, id] of cases) {
    for (const [method, path, body] of ROUTES.filter(([, path]) => path !== '')) {
      const refused = await world.call(method, path.replace(':id', String(id)), token, body);
      assert.deepEqual(
        [refused.status, refused.body.detail, refused.body.code],
        [404, 'Bot not found', 'webhook_not_found'],
        `${method} ${path}`,
      );
    }
  }
  assert.deepEqual(await world.must('GET', '', owner.token), before);
  assert.deepEqual((await world.must('GET', '', stranger.token)).webhooks, []);
});

test('an invalid id or page returns 422 and names the field', async () => {
  const owner = await world.owner();
  const { endpointId } = await world.endpoint(owner, URL_OF_MINE);
  const cases = [
    ['DELETE', '/abc', undefined, 'id'],
    ['POST', '/0/test', undefined, 'id'],
    ['GET', `/${endpointId}/deliveries?limit=0`, undefined, 'limit'],
    ['GET', `/${endpointId}/deliveries?limit=101`, undefined, 'limit'],
    ['GET', `/${endpointId}/deliveries?cursor=zzz`, undefined, 'cursor'],
    ['POST', `/${endpointId}/replay`, {}, 'delivery_id'],
    ['POST', `/${endpointId}/replay`, { delivery_id: 'evt_1' }, 'delivery_id'],
    ['POST', `/${endpointId}/replay`, { since: 'yesterday' }, 'since'],
    [
      'POST',
      `/${endpointId}/replay`,
      { since: '2026-01-01T00:00:00Z', delivery_id: `evt_${'0'.repeat(32)}` },
      'delivery_id',
    ],
  ] as const;
  for (const [method, path, body, field] of cases) {
    const refused = await world.call(method, path, owner.token, body);
    assert.deepEqual([refused.status, refused.body.errors?.[0].field], [422, field], `${method} ${path}`);
  }
});
