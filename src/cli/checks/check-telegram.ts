import type { Config } from '../../config.ts';
import { systemClock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { sampleActiveChannels } from '../../modules/orders/index.ts';
import {
  type BotInspector,
  type CallResult,
  createBotApi,
  createBotInspector,
  createCheckBudget,
  type UpdatesState,
  webhookUrlOf,
} from '../../telegram/index.ts';
import { channelFinding, hostOf } from './check-channels.ts';
import { clockFinding, type Finding, fail, ok, warn } from './finding.ts';

const MAX_CHANNELS = 50;
const MANY_PENDING = 1_000;
const RECENT_MS = 60 * 60 * 1000;
/** Wider limits than for the database: the `Date` header has whole seconds and includes the network delay. */
const CLOCK_LIMITS = { warnMs: 5_000, failMs: 60_000 };
const TIMEOUT_MS = 5_000;

/**
 * Checks that Telegram accepts the bot's token and sends its updates, and that the bot is an administrator in the
 * channels of active orders. `db` is absent when the database cannot be read.
 */
export async function* checkTelegram(config: Config, db: Queryable | undefined): AsyncGenerator<Finding> {
  const { telegram } = config;
  if (telegram === undefined) {
    yield ok('telegram', 'emulated, as long as the service runs');
    return;
  }
  const api = createBotApi({ apiRoot: () => telegram.apiRoot, token: telegram.botToken });
  const inspector = createBotInspector(api, createCheckBudget(config.checksPerSecond));
  const identity = await inspector.identity();
  if (identity.kind !== 'answered') {
    yield failureFinding(identity);
    return;
  }
  yield ok('telegram', `the bot is @${identity.answer.username}`);
  yield await checkClock(telegram.apiRoot);
  const updates = await inspector.updates();
  if (updates.kind === 'answered') yield* checkUpdates(config, updates.answer);
  if (db !== undefined) yield await checkChannels(db, inspector, identity.answer.id);
}

function failureFinding(failure: Exclude<CallResult<unknown>, { kind: 'answered' }>): Finding {
  switch (failure.kind) {
    case 'refused':
      return fail('telegram', `refuses TELEGRAM_BOT_TOKEN (${failure.description}): copy it from @BotFather`);
    case 'flood':
      return warn('telegram', `asks to wait ${failure.retryAfterSeconds} s: too many calls; try again later`);
    case 'unreachable':
      return fail('telegram', 'does not answer: check TELEGRAM_API_ROOT and the way out of this machine');
  }
}

async function checkClock(apiRoot: string): Promise<Finding> {
  try {
    const before = systemClock.now().getTime();
    const answer = await fetch(apiRoot, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const middle = (before + systemClock.now().getTime()) / 2;
    const skewMs = Date.parse(answer.headers.get('date') ?? '') + 500 - middle;
    if (Number.isNaN(skewMs)) return warn('telegram clock', 'Telegram told no time, so the clocks were not compared');
    return clockFinding('telegram clock', skewMs, CLOCK_LIMITS);
  } catch {
    return warn('telegram clock', 'Telegram told no time, so the clocks were not compared');
  }
}

function* checkUpdates({ telegram, publicUrl }: Config, state: UpdatesState): Generator<Finding> {
  const wanted = telegram?.updates === 'webhook' ? webhookUrlOf(publicUrl) : undefined;
  if (state.webhookUrl === wanted) {
    yield ok('updates', wanted === undefined ? 'fetched by polling' : `sent to ${wanted}`);
  } else {
    const now = state.webhookUrl === undefined ? 'wait to be fetched' : `go to ${hostOf(state.webhookUrl)}`;
    yield warn('updates', `${now}; the service changes that when it starts with the role bot. Does it run?`);
  }
  if (state.pendingCount > MANY_PENDING) {
    yield warn('updates', `${state.pendingCount} wait at Telegram: does a process with the role bot run?`);
  }
  const { lastError } = state;
  if (lastError !== undefined && systemClock.now().getTime() - lastError.at.getTime() < RECENT_MS) {
    yield warn('updates', `Telegram could not deliver at ${lastError.at.toISOString()}: ${lastError.message}`);
  }
  if (state.missingKinds !== undefined && state.missingKinds.length > 0) {
    const kinds = state.missingKinds.join(', ');
    yield fail('updates', `Telegram does not send ${kinds}: start a process with the role bot, which asks for them`);
  }
}

async function checkChannels(db: Queryable, inspector: BotInspector, botId: number): Promise<Finding> {
  const { channels, total } = await sampleActiveChannels(db, MAX_CHANNELS);
  if (total === 0) return ok('channels', 'no active order advertises one');
  return channelFinding('channels', { inspector, botId, name: 'the bot' }, channels, total);
}
