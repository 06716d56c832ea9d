import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot, Context } from '../context.ts';
import type { Faults } from '../faults.ts';
import type { Fault } from '../faults-store.ts';
import { createFloodLimits } from '../flood-limits.ts';
import { findBotByToken } from '../peers-store.ts';
import type { Method } from './call.ts';
import * as chats from './chats.ts';
import { BotApiError, badRequest } from './errors.ts';
import * as messages from './messages.ts';
import { readParams } from './params.ts';
import * as profiles from './profiles.ts';
import * as settings from './settings.ts';
import * as updates from './updates.ts';

/** These files export only methods. Any other name returns 404, as a misspelt method does at Telegram. */
const METHODS: Readonly<Record<string, Method>> = { ...chats, ...messages, ...profiles, ...settings, ...updates };
const METHOD_OF = new Map(Object.entries(METHODS).map(([name, method]) => [name.toLowerCase(), method]));

interface BotApiRequest {
  readonly token: string;
  readonly method: string;
  readonly params: ReadonlyMap<string, unknown>;
  readonly disconnected: AbortSignal;
}

interface BotApiResponse {
  readonly status: number;
  /** A string is sent unchanged: a broken gateway does not send JSON. */
  readonly body: object | string;
}

export type BotApi = (request: BotApiRequest) => Promise<BotApiResponse>;

const DOWN: BotApiResponse = { status: 502, body: 'Bad Gateway' };

const TOKEN_SHAPE = /^\d{1,20}:[\w-]{1,100}$/;

/** Bodies that proxies send with status 200: a page, half a response, another shape, nothing. */
const GARBAGE: readonly BotApiResponse[] = [
  { status: 200, body: '<html><body>Please sign in to the network</body></html>' },
  { status: 200, body: '{"ok":true,"result":{"status":"mem' },
  { status: 200, body: { ok: true, result: {} } },
  { status: 200, body: '' },
];

export function createBotApi(context: Context, faults: Faults): BotApi {
  const limits = createFloodLimits(context.clock);
  // Tokens change rarely; the cache saves one query per call.
  const bots = new Map<string, Bot>();
  context.bus.on('bots', () => bots.clear());
  context.bus.onGap(() => bots.clear());

  async function authenticate(token: string): Promise<Bot> {
    // A malformed token can contain bytes that PostgreSQL rejects.
    const bot = bots.get(token) ?? (TOKEN_SHAPE.test(token) ? await findBotByToken(context.db, token) : undefined);
    if (!bot) throw new BotApiError(401, 'Unauthorized');
    bots.set(token, bot);
    return bot;
  }

  function checkLimits({ token, method, params }: BotApiRequest): void {
    const seconds = limits.count({ token, method: method.toLowerCase(), chatId: chatIdText(params) });
    if (seconds > 0) throw tooManyRequests(seconds);
  }

  let garbageCount = 0;

  return async (request) => {
    try {
      const fault = await faults.take(request.method.toLowerCase(), chatIdText(request.params));
      if (fault?.mode === 'down') return DOWN;
      if (fault?.mode === 'garbage') return GARBAGE[garbageCount++ % GARBAGE.length] ?? DOWN;
      if (fault) await applyFault(fault, request.disconnected);
      if (await faults.hasFloodLimits()) checkLimits(request);
      const bot = await authenticate(request.token);
      const method = METHOD_OF.get(request.method.toLowerCase());
      if (!method) throw new BotApiError(404, 'Not Found');
      const params = readParams(request.params);
      const result = await method({ context, bot, params, disconnected: request.disconnected });
      return { status: 200, body: { ok: true, result } };
    } catch (error) {
      if (!(error instanceof BotApiError)) throw error;
      const { code, message: description, parameters } = error;
      return {
        status: code,
        body: { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) },
      };
    }
  };
}

async function applyFault(fault: Fault, disconnected: AbortSignal): Promise<void> {
  switch (fault.mode) {
    case 'slow':
      // The wait ends when the caller disconnects; the call continues, as it would on a remote server.
      await sleep(fault.delayMs, undefined, { signal: disconnected }).catch(() => undefined);
      return;
    case 'too_many_requests':
      throw tooManyRequests(fault.retryAfterSeconds);
    case 'not_admin':
      throw badRequest('member list is inaccessible');
    case 'down':
    case 'garbage':
    case 'flood_limits':
      return;
  }
}

const tooManyRequests = (seconds: number): BotApiError =>
  new BotApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });

function chatIdText(params: ReadonlyMap<string, unknown>): string | undefined {
  const chatId = params.get('chat_id');
  return typeof chatId === 'string' || typeof chatId === 'number' ? String(chatId) : undefined;
}
