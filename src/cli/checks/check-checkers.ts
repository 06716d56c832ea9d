import type { Config } from '../../config.ts';
import type { Queryable } from '../../core/database.ts';
import { createSecrets } from '../../core/secrets.ts';
import { type Checker, listCheckers, openToken } from '../../modules/checkers/index.ts';
import { sampleActiveChannels } from '../../modules/orders/index.ts';
import {
  type CallResult,
  createBotApi,
  createBotInspector,
  createCheckBudget,
  webhookUrlOf,
} from '../../telegram/index.ts';
import { channelFinding, hostOf } from './check-channels.ts';
import { storedKey } from './check-database.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Per bot. There can be dozens of bots, and `doctor` should end within seconds. */
const MAX_CHANNELS = 20;
const SUBJECT = 'checker bot';

/**
 * Checks each checker bot, with one line: Telegram accepts its token, no other program receives its updates, and it is an
 * administrator in the channels that it serves.
 */
export async function* checkCheckers(config: Config, db: Queryable): AsyncGenerator<Finding> {
  const { telegram } = config;
  if (telegram === undefined) return; // the emulator runs only with the service
  const checkers = await listCheckers(db);
  if (checkers.length === 0) return;
  const key = config.secretKey ?? (await storedKey(config, db));
  const secrets = key === undefined ? undefined : createSecrets(key);
  for (const checker of checkers) {
    const token = secrets && openToken(secrets, checker.tokenEncrypted);
    const found = await examine({ ...config, telegram }, db, checker, token);
    if (found !== 'unreachable') {
      yield found;
      continue;
    }
    yield warn(SUBJECT, `Telegram does not answer: @${checker.username} and those after it were not checked`);
    return;
  }
}

type LiveConfig = Config & { readonly telegram: NonNullable<Config['telegram']> };

async function examine(
  { telegram, publicUrl, checksPerSecond }: LiveConfig,
  db: Queryable,
  { botId, username, stopReason, conflictAt }: Checker,
  token: string | undefined,
): Promise<Finding | 'unreachable'> {
  const name = `@${username}`;
  if (stopReason === 'removed') return ok(SUBJECT, `${name} is being removed`);
  if (stopReason === 'revoked') {
    return warn(SUBJECT, `${name} is stopped, because Telegram refused its token: add it with a new one, or remove it`);
  }
  if (token === undefined) {
    return fail(
      SUBJECT,
      `the token of ${name} cannot be decrypted: set SECRET_KEY to the one from then, or add the bot again`,
    );
  }
  const api = createBotApi({ apiRoot: () => telegram.apiRoot, token });
  const inspector = createBotInspector(api, createCheckBudget(checksPerSecond));
  const identity = await inspector.identity();
  if (identity.kind !== 'answered') return failureFinding(name, identity);
  const updates = await inspector.updates();
  if (updates.kind !== 'answered') return failureFinding(name, updates);
  const { webhookUrl } = updates.answer;
  const wanted = telegram.updates === 'webhook' ? `${webhookUrlOf(publicUrl)}/${botId}` : undefined;
  if (webhookUrl !== undefined && webhookUrl !== wanted) {
    return warn(SUBJECT, `another program uses ${name}: its updates go to ${hostOf(webhookUrl)}. ${NEW_TOKEN}`);
  }
  if (conflictAt !== null) return warn(SUBJECT, `another program fetches the updates of ${name}. ${NEW_TOKEN}`);
  if (webhookUrl !== wanted) {
    return warn(
      SUBJECT,
      `the updates of ${name} wait to be fetched; a start with the role bot changes that. Does it run?`,
    );
  }
  const { channels, total } = await sampleActiveChannels(db, MAX_CHANNELS, botId);
  if (total === 0) return ok(SUBJECT, `${name} works; no active order advertises a channel that it serves`);
  return channelFinding(SUBJECT, { inspector, botId, name }, channels, total);
}

const NEW_TOKEN = 'Stop that program, or revoke the token with @BotFather and add the bot again';

function failureFinding(
  name: string,
  failure: Exclude<CallResult<unknown>, { kind: 'answered' }>,
): Finding | 'unreachable' {
  switch (failure.kind) {
    case 'refused':
      return fail(
        SUBJECT,
        `Telegram refuses the token of ${name} (${failure.description}): add it with a new one, or remove it`,
      );
    case 'flood':
      return warn(SUBJECT, `Telegram asks ${name} to wait ${failure.retryAfterSeconds} s: try again later`);
    case 'unreachable':
      return 'unreachable';
  }
}
