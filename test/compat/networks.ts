import assert from 'node:assert/strict';
import type { Answer, Sandbox } from '../support/sandbox.ts';

/** How a publisher's bot of one network talks to the service. */
export interface Network {
  readonly name: string;
  /** Asks for the gate of a user. */
  ask(sandbox: Sandbox, token: string, userId: unknown): Promise<Answer>;
  /** Returns the links that the user still has to open. */
  links(answer: Answer): string[];
  /** Whether the bot lets the user in. */
  isPassed(answer: Answer): boolean;
  /** Fails unless the answer is an error in the network's form with this HTTP status. */
  assertError(answer: Answer, status: number): void;
  /** Fails unless the answer says that there is nothing to show. */
  assertEmpty(answer: Answer): void;
}

const post = (sandbox: Sandbox, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  sandbox.call('POST', `/compat/${path}`, body, headers);

const isText = (value: unknown): boolean => typeof value === 'string' && value.length > 0;

export const NETWORKS: readonly Network[] = [
  {
    name: 'subgram',
    ask: (sandbox, token, userId) =>
      post(
        sandbox,
        'subgram/get-sponsors',
        { user_id: userId, chat_id: userId, first_name: null, username: null, is_premium: null, max_sponsors: null },
        { auth: token },
      ),
    links: ({ body }) =>
      body.additional.sponsors
        .filter((one: { status: string }) => one.status === 'unsubscribed')
        .map((one: { link: string }) => one.link),
    isPassed: ({ body }) => body.status === 'ok',
    assertError({ status, body }, expected) {
      assert.equal(status, expected);
      assert.deepEqual({ ...body, message: '' }, { status: 'error', code: expected, message: '' });
      assert.ok(isText(body.message));
    },
    assertEmpty({ status, body }) {
      assert.equal(status, 200);
      assert.equal(body.status, 'ok');
      assert.deepEqual(body.additional, { sponsors: [] });
    },
  },
  {
    name: 'flyer',
    ask: (sandbox, token, userId) =>
      post(sandbox, 'flyer/get_tasks', { key: token, user_id: userId, language_code: null, limit: null }),
    links: ({ body }) => body.result.flatMap((one: { links: string[] }) => one.links),
    isPassed: ({ body }) => body.result.length === 0,
    assertError({ status, body }) {
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['error']);
      assert.ok(isText(body.error));
    },
    assertEmpty({ status, body }) {
      assert.equal(status, 200);
      assert.deepEqual(body, { result: [] });
    },
  },
  {
    name: 'tgrass',
    ask: (sandbox, token, userId) =>
      post(
        sandbox,
        'tgrass/offers',
        { tg_user_id: userId, tg_login: null, lang: null, is_premium: null },
        { auth: token },
      ),
    links: ({ body }) =>
      body.offers.filter((one: { subscribed: boolean }) => !one.subscribed).map((one: { link: string }) => one.link),
    isPassed: ({ body }) => body.status !== 'not_ok',
    assertError({ status, body }, expected) {
      assert.equal(status, expected);
      assert.ok(isText(body.detail) && isText(body.message));
    },
    assertEmpty({ status, body }) {
      assert.equal(status, 200);
      assert.deepEqual(body, { status: 'no_offers', offers: [] });
    },
  },
  {
    name: 'piarflow',
    ask: (sandbox, token, userId) =>
      post(
        sandbox,
        'piarflow/v1/sponsors',
        {
          user_id: userId,
          chat_id: null,
          max_sponsors: null,
          first_name: null,
          username: null,
          language_code: null,
          bio: null,
        },
        { authorization: `Bearer ${token}` },
      ),
    links: ({ status, body }) =>
      status === 404
        ? []
        : body.sponsors
            .filter((one: { status: string }) => one.status === 'unsubscribed')
            .map((one: { link: string }) => one.link),
    isPassed: ({ status, body }) => status === 404 || body.status === 'ok',
    assertError({ status, body }, expected) {
      assert.equal(status, expected);
      assert.equal(body.status, 'error');
      assert.ok(isText(body.message));
    },
    assertEmpty({ status, body }) {
      assert.equal(status, 404);
      assert.equal(body.status, 'error');
    },
  },
  {
    name: 'botohub',
    ask: (sandbox, token, userId) =>
      post(sandbox, 'botohub/get-tasks-extended', { chat_id: userId, max_op: null }, { auth: token }),
    links: ({ body }) =>
      body.tasks.filter((one: { completed: boolean }) => !one.completed).map((one: { url: string }) => one.url),
    isPassed: ({ body }) => body.completed,
    assertError({ status, body }, expected) {
      assert.equal(status, expected);
      assert.deepEqual(Object.keys(body), ['error']);
      if (expected === 401) assert.equal(body.error, 'Unauthorized');
    },
    assertEmpty({ status, body }) {
      assert.equal(status, 200);
      assert.deepEqual(body, { tasks: [], completed: true, skip: true });
    },
  },
];
