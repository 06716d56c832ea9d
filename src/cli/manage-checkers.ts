import { text as readAll } from 'node:stream/consumers';
import { MANAGEMENT_BOT } from '../composition/open-sandbox.ts';
import type { Config } from '../config.ts';
import type { Queryable } from '../core/database.ts';
import { StartError } from '../core/errors.ts';
import { createSecrets, type Secrets } from '../core/secrets.ts';
import { removeChecker, saveChecker } from '../modules/checkers/index.ts';
import { describeCheckers } from '../modules/operators/index.ts';
import { botIdIn, type CheckerInspection, createBotApi, inspectChecker } from '../telegram/index.ts';
import { storedKey } from './checks/check-database.ts';
import { onDatabase } from './on-database.ts';

const STATES = {
  works: 'works',
  conflict: 'another program receives its updates',
  revoked: 'Telegram refuses its token: add it again with a new one',
  removed: 'being removed',
} as const;

/** `sponsorgate checkers`: lists the checker bots with their state and load. */
export async function list(config: Config): Promise<void> {
  await onDatabase(config, async ({ db }) => {
    const checkers = await describeCheckers(db);
    if (checkers.length === 0) console.log('There is no checker bot: the management bot checks all channels.');
    for (const { username, state, channels, checks } of checkers) {
      console.log(
        `@${username}  ${STATES[state]}; channels with open orders: ${channels}, subscriptions to check: ${checks}`,
      );
    }
  });
}

/** `sponsorgate add-checker`: reads the token from standard input, because arguments are visible to other users. */
export async function add(config: Config, args: readonly string[]): Promise<void> {
  const usage = "use: sponsorgate add-checker, with the bot's token on standard input";
  if (args.length > 0) throw new StartError(usage);
  const typed = (await readAll(process.stdin)).trim();
  if (typed === '') throw new StartError(usage);
  await onDatabase(config, async ({ db, clock }) => {
    const found = await inspectChecker({ ...telegramOf(config), db, publicUrl: () => config.publicUrl }, typed);
    if (found.kind !== 'usable') throw new StartError(refusalOf(found));
    const secrets = await secretsOf(config, db);
    const outcome = await db.transaction((tx) => saveChecker(tx, { secrets, at: clock.now() }, found.checker));
    const { username } = found.checker;
    console.log(outcome === 'added' ? `@${username} checks from now on.` : `@${username} has its new token.`);
  });
}

/** `sponsorgate remove-checker <bot_username>`: its channels go to other bots, or their orders pause. */
export async function remove(config: Config, args: readonly string[]): Promise<void> {
  const [name = '', ...rest] = args;
  const username = name.replace(/^@/, '');
  if (rest.length > 0 || !/^\w{1,64}$/.test(username)) {
    throw new StartError('use: sponsorgate remove-checker <bot_username>');
  }
  await onDatabase(config, async ({ db, clock }) => {
    const known = (await describeCheckers(db)).find((each) => each.username.toLowerCase() === username.toLowerCase());
    if (known === undefined) throw new StartError(`there is no checker bot @${username}`);
    await db.transaction((tx) => removeChecker(tx, known.botId, clock.now()));
    console.log(`@${known.username} is being removed: a process with the role worker hands its channels over.`);
  });
}

function telegramOf({ telegram, publicUrl }: Config) {
  const apiRoot = telegram?.apiRoot ?? `${publicUrl}/sandbox/telegram`;
  const token = telegram?.botToken ?? `${MANAGEMENT_BOT.id}:`;
  return { api: createBotApi({ apiRoot: () => apiRoot, token }), managementBotId: botIdIn(token) };
}

async function secretsOf(config: Config, db: Queryable): Promise<Secrets> {
  const key = config.secretKey ?? (await storedKey(config, db));
  if (key === undefined)
    throw new StartError('SECRET_KEY is not set and DATA_DIR has no secret.key: start the service first');
  return createSecrets(key);
}

function refusalOf(refusal: Exclude<CheckerInspection, { kind: 'usable' }>): string {
  switch (refusal.kind) {
    case 'not_a_token':
      return 'that is no bot token: copy it from @BotFather (123456:ABC…)';
    case 'token_refused':
      return 'Telegram refuses the token: copy it from @BotFather';
    case 'unavailable':
      return 'Telegram does not answer: nothing was changed; try again later';
    case 'management_bot':
      return `@${refusal.username} is the management bot, which checks already: create another bot with @BotFather`;
    case 'customer_bot':
      return `@${refusal.username} is a publisher's or advertiser's bot here: create a bot of its own with @BotFather`;
    case 'used_elsewhere':
      return `@${refusal.username} belongs to another program, ${
        refusal.host === undefined ? 'which fetches its updates' : `whose webhook is at ${refusal.host}`
      }: nothing was changed; create a bot of its own with @BotFather`;
  }
}
