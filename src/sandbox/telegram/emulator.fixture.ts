import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import { Api, type Bot, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import { systemClock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { answerError } from '../../http/errors.ts';
import { createInbox } from '../inbox.ts';
import { telegramControlRoutes } from '../routes-telegram.ts';
import { createEmulator, type Emulator, emulatorRoutes } from './index.ts';

/** The emulator's tests use a sandbox on a real port and call it with grammY's own client. */
export const MANAGER = { id: 7_000_000_001, token: '7000000001:manager', username: 'manager_bot', title: 'Manager' };
export const USER = 700_000_001;
export const ALL_UPDATES = ['message', 'callback_query', 'my_chat_member', 'chat_member', 'chat_join_request'] as const;

interface ControlResponse<T> {
  readonly status: number;
  readonly json: T;
}

/** One process of the service; several can share the database. */
export interface SandboxProcess {
  readonly emulator: Emulator;
  readonly origin: string;
  readonly manager: Api;
  apiFor(token: string | undefined): Api;
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<ControlResponse<T>>;
  makeChat(type: 'channel' | 'bot', title?: string): Promise<{ chat_id: number; link: string }>;
  /** Reads and confirms the queued updates of a bot, the manager by default. */
  takeUpdates(api?: Api): Promise<Update[]>;
  close(): Promise<void>;
}

export async function openSandbox(db: Database): Promise<SandboxProcess> {
  const emulator = createEmulator({ db, clock: systemClock });
  const inbox = createInbox({ db, clock: systemClock });
  const app = fastify({ forceCloseConnections: true });
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.setErrorHandler(answerError);
  await app.register(emulatorRoutes(emulator), { prefix: '/sandbox/telegram' });
  await app.register(telegramControlRoutes(emulator, inbox, { adminBotId: MANAGER.id }), { prefix: '/sandbox' });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const apiFor = (token = ''): Api => new Api(token, { apiRoot: `${origin}/sandbox/telegram` });
  const manager = apiFor(MANAGER.token);
  await emulator.registerBot(MANAGER);

  async function control<T>(method: string, path: string, body?: unknown): Promise<ControlResponse<T>> {
    const response = await fetch(`${origin}/sandbox${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  return {
    emulator,
    origin,
    manager,
    apiFor,
    control,
    async makeChat(type, title = 'Resource') {
      const { status, json } = await control<{ chat_id: number; link: string }>('POST', '/chats', { type, title });
      assert.equal(status, 200);
      return json;
    },
    async takeUpdates(api = manager) {
      const updates = await api.getUpdates({ allowed_updates: ALL_UPDATES });
      const last = updates.at(-1);
      if (last) await api.getUpdates({ offset: last.update_id + 1, allowed_updates: ALL_UPDATES });
      return updates;
    },
    close: () => app.close(),
  };
}

export interface TestSandbox extends SandboxProcess {
  readonly db: Database;
  drop(): Promise<void>;
}

/** Starts a sandbox that owns the database and drops it at the end. */
export async function startTestSandbox(database: {
  readonly db: Database;
  drop(): Promise<void>;
}): Promise<TestSandbox> {
  const sandbox = await openSandbox(database.db);
  return {
    ...sandbox,
    db: database.db,
    async drop() {
      await sandbox.close();
      await database.drop();
    },
  };
}

/** Returns the error of a call, as grammY reports it. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ code: number; text: string; retryAfter: number | undefined }> {
  const error = await call.then(
    () => assert.fail('the call was expected to be refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof GrammyError, String(error));
  return { code: error.error_code, text: error.description, retryAfter: error.parameters.retry_after };
}

/** Runs a grammY bot on long polling while `work` runs. */
export async function whilePolling(bot: Bot, work: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    bot.start({ allowed_updates: [...ALL_UPDATES], timeout: 20, onStart: () => resolve() }).catch(reject);
  });
  await sleep(100);
  try {
    await work();
  } finally {
    await bot.stop();
  }
}
