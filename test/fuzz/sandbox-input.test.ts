import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();

const DEEP = '['.repeat(3_000) + ']'.repeat(3_000);
const STRANGE: readonly string[] = [
  ...['null', 'true', 'false', '[]', '{}', '[1]', '{"a":1}', '[null]', DEEP],
  ...['0', '-1', '1', '1.5', '0.0000001', '1e300', '1e400', '-1e300', '9007199254740993', '2147483648', '-2147483649'],
  ...['""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"🦊"', '"\\u202eabc"', '"\'; DROP TABLE bots; --"'],
  ...['"../../etc/passwd"', '"<script>"', JSON.stringify('x'.repeat(10_000)), '"@"', '"-100"', '"2026-02-31"'],
];

const FILTERS = [
  ...['languages', 'countries', 'cities', 'age', 'gender', 'account_age_years', 'device_types', 'os', 'premium'],
  ...['has_photo', 'real_photo', 'has_name', 'has_username', 'has_bio', 'has_audio', 'russian_name', 'cyrillic_name'],
  ...[
    'rating',
    'gifts',
    'chat_context',
    'fresh_days',
    'min_quality',
    'scored_source',
    'human_checked',
    'no_such_filter',
    '__proto__',
  ],
];

interface Lever {
  readonly method: 'POST' | 'PUT' | 'DELETE' | 'GET';
  readonly path: string;
  /** A valid body, as JSON per field. The tests replace one field at a time. */
  readonly good: Readonly<Record<string, string>>;
}

async function levers(): Promise<readonly Lever[]> {
  const { sandbox } = service;
  const { accountId } = await sandbox.publisher({ deposit: 1000 });
  const { orderId, chatId } = await sandbox.advertise();
  const { management_bot } = await sandbox.control('GET', '/state');
  const bot = JSON.stringify(management_bot);
  const user = freshUser();
  const learned = {
    ...{ country: '"RU"', city: '"Москва"', age: '30', gender: '"male"', account_age_years: '3', os: '"iOS"' },
    ...{ device_type: '"tablet"', has_photo: 'true', real_photo: 'true', has_bio: 'true', has_audio: 'true' },
    ...{ rating: '5', gifts: '2' },
  };
  const person = {
    ...{ user_id: String(freshUser()), first_name: '"A"', username: '"person_of_test"', language_code: '"ru"' },
    ...{ is_premium: 'true', bio: '"b"', birthdate: '"1990-05-17"', photos: '1', rating: '1', gifts: '1', audios: '1' },
  };
  const order = {
    ...{ account_id: String(accountId), chat_id: String(chatId), name: '"n"', price_per_sub: '1', quantity: '1' },
    ...{ hold_hours: '24', refund: 'true', daily_limit: '5', filters: '{}' },
  };
  const publisher = { account_id: String(accountId), username: '"a_publisher_bot"', beta: 'true' };
  const fault = { mode: '"slow"', method: '"getMe"', chat_id: '-1', count: '1', delay_ms: '0', retry_after: '0' };
  return [
    { method: 'POST', path: '/accounts', good: { user_id: String(freshUser()), name: '"n"', deposit: '1' } },
    { method: 'POST', path: '/bots', good: { ...publisher, max_sponsors: '5', round_minutes: '10' } },
    { method: 'POST', path: '/chats', good: { type: '"channel"', title: '"t"', username: '"channel_of_test"' } },
    { method: 'POST', path: '/users', good: person },
    { method: 'PUT', path: `/chats/${chatId}/members/${user}`, good: {} },
    { method: 'DELETE', path: `/chats/${chatId}/members/${user}`, good: {} },
    { method: 'POST', path: '/orders', good: order },
    { method: 'POST', path: `/orders/${orderId}/pause`, good: {} },
    { method: 'POST', path: `/orders/${orderId}/resume`, good: {} },
    { method: 'POST', path: `/profiles/${user}`, good: learned },
    { method: 'POST', path: `/signals/${user}`, good: { strength: '0' } },
    { method: 'POST', path: '/faults', good: fault },
    { method: 'POST', path: `/persons/${user}/messages`, good: { bot, text: '"hi"' } },
    { method: 'POST', path: `/persons/${user}/presses`, good: { bot, button: '"none"' } },
    { method: 'POST', path: '/clock', good: { advance_seconds: '1' } },
  ];
}

const toJson = (fields: Readonly<Record<string, string>>): string =>
  `{${Object.entries(fields)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(',')}}`;

async function send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.url}/sandbox${path}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, text: await response.text() };
}

/** Asserts that the request succeeded or was refused with a readable error. */
function assertAnswered({ status, text }: { status: number; text: string }, what: string): void {
  assert.ok([200, 204, 400, 404, 422].includes(status), `${what} answered ${status}: ${text.slice(0, 300)}`);
  if (status < 300) return;
  const body = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['detail', 'code', 'message']) assert.equal(typeof body[name], 'string', `${what}: ${name}`);
}

/** Sends one request per body and returns the problems of the responses. */
async function tryAll(method: string, path: string, bodies: readonly (readonly [string, string])[]): Promise<string[]> {
  const problems = await Promise.all(
    bodies.map(async ([what, body]) => {
      try {
        assertAnswered(await send(method, path, body), `${method} ${path} with ${what.slice(0, 80)}`);
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    }),
  );
  return problems.flat();
}

test('a control request with an invalid field succeeds or is refused, and never fails with a 500', async () => {
  const problems: string[] = [];
  for (const { method, path, good } of await levers()) {
    for (const field of Object.keys(good)) {
      // A jump of decades would break the tests that follow.
      const values = field === 'advance_seconds' ? STRANGE.filter((json) => json !== '2147483648') : STRANGE;
      const bodies = values.map((json) => [`${field} ${json}`, toJson({ ...good, [field]: json })] as const);
      problems.push(...(await tryAll(method, path, bodies)));
      await service.sandbox.fault({ mode: 'none' });
    }
  }
  assert.deepEqual(problems, []);
});

test('an order with an invalid filter is created or refused, and never fails with a 500', async () => {
  const { sandbox } = service;
  const { account_id } = await sandbox.control('POST', '/accounts', { deposit: 1000 });
  const { chat_id } = await sandbox.control('POST', '/chats', { type: 'channel', title: 't' });
  const problems: string[] = [];
  for (const filter of FILTERS) {
    const values = [...STRANGE, ...STRANGE.map((json) => `[${json}]`), '{"min":-1}', '{"min":1.5}', '{"max":1e300}'];
    const bodies = values.map((json) => {
      const filters = `{${JSON.stringify(filter)}:${json}}`;
      return [filters, toJson({ account_id, chat_id, price_per_sub: '0.01', quantity: '1', filters })] as const;
    });
    problems.push(...(await tryAll('POST', '/orders', bodies)));
  }
  assert.deepEqual(problems, []);
});

test('a control request with an invalid body succeeds or is refused', async () => {
  for (const { method, path } of await levers()) {
    for (const body of [undefined, '', '{', 'null', '[]', '5', '"x"', '{}', `"${'x'.repeat(100_000)}"`]) {
      assertAnswered(await send(method, path, body), `${method} ${path} with the body ${String(body).slice(0, 20)}`);
    }
  }
});

const STRANGE_SEGMENTS = [
  ...['0', '-1', '1.5', '1e3', 'x', '%00', '%F0%9F%A6%8A', '%20', '..%2F', "'", 'null'],
  ...['9'.repeat(15), '9'.repeat(16), '9'.repeat(40), '-9223372036854775809', '9223372036854775808', 'x'.repeat(150)],
];

test('a control path with an invalid part never fails with a 500', async () => {
  const { chatId } = await service.sandbox.advertise();
  for (const part of STRANGE_SEGMENTS) {
    const calls: [string, string, string?][] = [
      ['PUT', `/chats/${part}/members/1`],
      ['PUT', `/chats/${chatId}/members/${part}`],
      ['DELETE', `/chats/${part}/members/1`],
      ['DELETE', `/chats/${chatId}/members/${part}`],
      ['PUT', `/chats/${chatId}/members/1?silent=${part}&status=${part}`],
      ['PUT', `/chats/${chatId}/members/1?invite_link=${part}`],
      ['PUT', `/chats/${part}/join-requests/${part}`],
      ['POST', `/orders/${part}/pause`],
      ['POST', `/orders/${part}/resume`],
      ['POST', `/profiles/${part}`, '{"country":"RU"}'],
      ['POST', `/signals/${part}`, '{"strength":0}'],
      ['POST', `/persons/${part}/messages`, '{"bot":"sponsorgate_bot","text":"x"}'],
      ['POST', `/persons/${part}/presses`, '{"bot":"sponsorgate_bot","button":"x"}'],
      ['GET', `/persons/${part}/messages?bot=sponsorgate_bot`],
      ['GET', `/persons/1/messages?bot=${part}`],
      ['GET', `/inbox?name=${part}`],
      ['POST', `/inbox/${part}`, 'whatever'],
      ['POST', `/inbox/x?status=${part}`, 'whatever'],
      ['GET', `/${part}`],
    ];
    for (const [method, path, body] of calls) assertAnswered(await send(method, path, body), `${method} ${path}`);
  }
});

test('the sandbox still works after invalid requests, and its ledger balances', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  assert.equal((await sandbox.subscribe(token, order, freshUser())).code, 'counted');
  await sandbox.assertBalanced();
});
