import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, startProcess } from '../support/process.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** A span as OTLP over HTTP sends it in JSON. */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes?: readonly { readonly key: string; readonly value: object }[];
  readonly links?: readonly { readonly spanId: string }[];
}

const PERSON = { first_name: 'Аннамария', username: 'annamaria_writes', language_code: 'ru' };
const CONFIRM = 'POST /api/v1/confirm-subscription';

let collector: Receiver;
let service: TestService;
let publisher: Publisher;
let advertised: Advertised;

before(async () => {
  collector = await startReceiver(answer(200, '{}'));
  service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` });
  await service.sandbox.pauseAllOrders();
  publisher = await service.sandbox.publisher();
  advertised = await service.sandbox.advertise({ quantity: 1_000, hold_hours: 24, title: 'Название канала' });
});
after(async () => {
  await killAll();
  await service.stop();
  await collector.close();
});

const sentSpans = (): SentSpan[] =>
  collector.received.flatMap(({ body }) =>
    (JSON.parse(body).resourceSpans as { scopeSpans: { spans: SentSpan[] }[] }[]).flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
const valuesOf = ({ attributes = [] }: SentSpan): string[] =>
  attributes.flatMap(({ value }) => Object.values(value).map(String));

/** Returns the names from the root of the trace to the span. */
function pathOf(span: SentSpan, spans: readonly SentSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent === undefined ? [] : pathOf(parent, spans)), span.name];
}

test('a trace leads from the request to its batch, its statements and its call to Telegram', async () => {
  const userId = freshUser();
  await service.sandbox.getSponsors(publisher.token, userId, PERSON);
  await service.sandbox.join(advertised.chatId, userId);
  const confirmed = await service.sandbox.confirm(publisher.token, userId, advertised.orderId);
  assert.equal(confirmed.credit_status, 'hold', JSON.stringify(confirmed));

  await eventually('the trace of the confirm is sent', () => sentSpans().some(({ name }) => name === CONFIRM));
  const spans = sentSpans();
  const root = spans.findLast(({ name }) => name === CONFIRM);
  const trace = spans.filter(({ traceId }) => traceId === root?.traceId);
  const paths = trace.map((span) => pathOf(span, trace).join(' > '));
  const expected = [
    CONFIRM,
    `${CONFIRM} > batch confirm_reads`,
    `${CONFIRM} > telegram getChatMember`,
    `${CONFIRM} > batch confirms`,
    `${CONFIRM} > batch confirms > COMMIT`,
  ];
  assert.deepEqual(
    expected.filter((path) => !paths.includes(path)),
    [],
    paths.join('\n'),
  );
  const [readStatement] = paths.filter((path) => path.startsWith(`${CONFIRM} > batch confirm_reads > SELECT`));
  assert.ok(readStatement !== undefined, paths.join('\n'));
  assert.ok(
    paths.some((path) => path.startsWith(`${CONFIRM} > batch confirms > INSERT`)),
    paths.join('\n'),
  );
});

test('requests that shared a batch and the batch point to each other', async () => {
  await eventually('a batch served two traced requests', async () => {
    await Promise.all(Array.from({ length: 8 }, () => service.sandbox.getSponsors(publisher.token, freshUser())));
    const spans = sentSpans();
    return spans.some(
      (batch) =>
        batch.name.startsWith('batch ') &&
        batch.links?.some(({ spanId }) => {
          const request = spans.find((span) => span.spanId === spanId);
          return request?.links?.some((back) => back.spanId === batch.spanId) === true;
        }),
    );
  });
});

test('jobs and updates of Telegram begin their own traces', async () => {
  await eventually('both are sent', () => {
    const roots = sentSpans().filter(({ parentSpanId }) => parentSpanId === undefined);
    return ['job settle-tasks', 'update chat_member'].every((wanted) => roots.some(({ name }) => name === wanted));
  });
});

test('no span contains a secret, a text of a user or the id of a user', async () => {
  const userId = freshUser();
  await service.sandbox.getSponsors(publisher.token, userId, PERSON);
  assert.equal((await service.sandbox.statistic(publisher.token)).status, 200);
  assert.equal((await service.sandbox.call('GET', '/no-such-page/private-words')).status, 404);
  await service.sandbox.api(publisher.token, 'get-sponsors', { user_id: userId, first_name: 'y'.repeat(9_000) });
  await eventually('the last of them is sent', () => sentSpans().some(({ name }) => name === 'any unmatched'));
  const sent = sentSpans().flatMap((span) => [span.name, ...valuesOf(span)]);
  const secrets = [publisher.token, new URL(service.database.url).password, PERSON.first_name, PERSON.username];
  const words = [...secrets, 'Название', 'private-words', String(userId), String(advertised.chatId)].filter(Boolean);
  assert.deepEqual(
    words.filter((word) => sent.some((text) => text.includes(word))),
    [],
  );
  assert.deepEqual(
    sent.filter((text) => /\d{5,}:[\w-]{20,}|\bat_\w{16,}|postgres(?:ql)?:\/\//.test(text)),
    [],
    'a token of a bot, a token of the API or the address of the database',
  );
  const keys = new Set(sentSpans().flatMap(({ attributes = [] }) => attributes.map(({ key }) => key)));
  assert.deepEqual(
    [...keys].sort(),
    [
      'attempt',
      'batch.items',
      'db.operation.name',
      'db.query.text',
      'db.system.name',
      'error.type',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'job.name',
      'telegram.method',
    ].filter((key) => keys.has(key)),
  );
});

test('health checks and scrapes are not traced', async () => {
  for (const path of ['/api/v1/health', '/api/v1/ready', '/metrics']) {
    assert.equal((await service.sandbox.call('GET', path)).status, 200);
  }
  await service.sandbox.balance(publisher.token);
  await eventually('a later request is sent', () => sentSpans().some(({ name }) => name.endsWith('/get-balance')));
  assert.deepEqual(
    sentSpans().filter(({ name }) => /health|ready|metrics/.test(name)),
    [],
  );
});

test('a collector that is away does not disturb the service, and the stop does not wait for it', async () => {
  const untraced = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  const { token } = await untraced.sandbox.publisher();
  assert.equal((await untraced.sandbox.balance(token)).balance, 0);
  await untraced.stop();
});

test('without the setting the service does not load the SDK of OpenTelemetry', async () => {
  const refuse = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      // prom-client loads the interfaces, @opentelemetry/api, in any case.
      if (name.startsWith('@opentelemetry/') && name !== '@opentelemetry/api') throw new Error('loads OpenTelemetry');
      return next(name, context);
    } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(refuse)}`;
  const database = await createTestDatabase();
  try {
    const settings = { DATABASE_URL: database.url, NODE_OPTIONS };
    const { sandbox } = await startProcess(settings);
    assert.equal((await sandbox.call('GET', '/api/v1/ready')).status, 200);
    await assert.rejects(
      startProcess({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }),
      /loads OpenTelemetry/,
    );
  } finally {
    await killAll();
    await database.drop();
  }
});
