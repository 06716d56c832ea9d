import { StartError } from './core/errors.ts';
import { isHostName } from './http/allowed-hosts.ts';
import { isAddressRange } from './http/client-address.ts';

/** The settings. `readConfig` reads them once from the environment, checks them together and freezes them. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Absent: the service runs an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The address of PostgreSQL itself, for when `databaseUrl` is that of a pooler in transaction mode. */
  readonly databaseDirectUrl: string | undefined;
  /** The address of a standby for reports. Absent: reports read the primary. */
  readonly databaseReplicaUrl: string | undefined;
  /** Absent: each process applies the rate limits by itself. */
  readonly redis: { readonly url: string; readonly timeoutMs: number } | undefined;
  /** Absent: sandbox mode, with an emulated Telegram. */
  readonly telegram: { readonly botToken: string; readonly apiRoot: string; readonly updates: UpdatesBy } | undefined;
  /** Absent: the first start creates a key and stores it in `dataDir`, or for a sandbox in its database. */
  readonly secretKey: string | undefined;
  /** Empty: payouts by hand, deposits and moderated orders wait for ever. `start` and `doctor` warn. */
  readonly operatorIds: readonly number[];
  /** Where people get help. Texts and pages name it. Absent: they name no contact. */
  readonly supportContact: SupportContact | undefined;
  readonly roles: ReadonlySet<Role>;
  readonly logLevel: LogLevel;
  /** How long a stop may take before the process ends anyway, with exit code 1. */
  readonly stopTimeoutMs: number;
  /** How long a process still serves after it was told to stop, so that balancers notice that it is not ready. */
  readonly drainMs: number;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  readonly addressRateLimit: { readonly perSecond: number; readonly burst: number };
  readonly publisherSharePercent: number;
  /**
   * Whether an advertiser pays the full factor or the base price for a filter on a fact that is unknown for the user.
   */
  readonly unknownCharge: (typeof UNKNOWN_CHARGES)[number];
  readonly reservationSeconds: number;
  /** How many reservations a bot without proven conversion may have at a time. */
  readonly reservationsOfNewBot: number;
  readonly checksPerSecond: number;
  /** How long get-sponsors may wait for the membership checks of candidate orders. */
  readonly candidateCheckMs: number;
  readonly databasePoolSize: number;
  /** How long a migration may wait for a table, and run. */
  readonly migrations: { readonly lockSeconds: number; readonly statementSeconds: number };
  /** How long the process tries to restart a crashed embedded PostgreSQL before it exits. */
  readonly databaseRestartSeconds: number;
  /** Addresses or ranges of the proxies that may forward the client's address. */
  readonly trustedProxies: readonly string[];
  /** Further host names of the service, in addition to that of `publicUrl`. */
  readonly allowedHosts: readonly string[];
  readonly payoutMinimumKopecks: bigint;
  /** A payout above it opens a case; 0: none does. */
  readonly payoutReviewAboveKopecks: bigint;
  /** Orders with a lower base price do not count in contests. */
  readonly contestMinimumPriceKopecks: bigint;
  /** Whether an operator approves a contest's standings before prizes are paid. */
  readonly approvesContests: boolean;
  /** Absent: operators send payouts by hand, and there are no invoices. */
  readonly cryptoPay: { readonly token: string; readonly apiRoot: string; readonly asset: CryptoAssetName } | undefined;
  /**
   * Whether an operator approves new orders before they are shown. Off by default in a sandbox.
   */
  readonly moderatesOrders: boolean;
  /** Whether the webhook API needs a token with beta access. Management bot and console never do. */
  readonly webhookApi: (typeof WEBHOOK_API)[number];
  /** Whether keyed hashes of addresses and devices are stored. */
  readonly storesDeviceMarks: boolean;
  /** Absent: no user is led to the human check. In live mode it needs the link of the Mini App. */
  readonly humanCheck: { readonly strength: number; readonly miniAppLink: string | undefined } | undefined;
  /** Whether the demo data of a sandbox includes two weeks of subscriptions and payouts. */
  readonly hasDemoHistory: boolean;
  /** Absent: only callers on this machine and its private network may read /metrics. */
  readonly metricsToken: string | undefined;
  /** The scores of sources, and what follows from a level: docs/fraud.md. */
  readonly quality: {
    readonly isOn: boolean;
    readonly watchedBelow: number;
    readonly lowBelow: number;
    readonly minSubscriptions: number;
    readonly newHoldSeconds: number;
    readonly watchedHoldSeconds: number;
    readonly lowHoldSeconds: number;
    readonly lowOrderSharePercent: number;
    readonly samplePercent: number;
  };
  /** How many subscriptions of one user, and users of one device, are counted; 0 means no limit. */
  readonly userLimits: {
    readonly perHour: number;
    readonly perDay: number;
    readonly usersPerDevice: number;
    readonly hidesTasks: boolean;
  };
  /** Absent: the service sends no traces and does not load OpenTelemetry. */
  readonly tracing: { readonly endpoint: string; readonly share: number } | undefined;
}

/** The warning of `start` and `doctor` for a live service without operators. */
export const NO_OPERATORS =
  'OPERATOR_IDS is empty: no one can approve payouts, deposits and orders, so they wait for ever; list Telegram ids';

/** The text for people, such as `@name`, and the URL behind it. */
interface SupportContact {
  readonly text: string;
  readonly url: string;
}

/** A person of the sandbox's demo data. `OPERATOR_IDS=` (empty) starts a sandbox without an operator. */
const SANDBOX_OPERATOR = 100_005;
const ROLES = ['api', 'bot', 'worker'] as const;
type Role = (typeof ROLES)[number];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
const UPDATES_BY = ['polling', 'webhook'] as const;
/** Telegram refuses all other ports. 443 is allowed too, but `URL.port` is empty for the default port of https. */
const TELEGRAM_WEBHOOK_PORTS: ReadonlySet<string> = new Set(['80', '88', '8443']);
const CRYPTO_ASSET_NAMES = ['USDT', 'TON', 'BTC', 'ETH', 'LTC', 'BNB', 'TRX', 'USDC'] as const;
type CryptoAssetName = (typeof CRYPTO_ASSET_NAMES)[number];
const UNKNOWN_CHARGES = ['full', 'base'] as const;
const ON_OFF = ['on', 'off'] as const;
const OVER_LIMIT_TASKS = ['shown', 'hidden'] as const;
const WEBHOOK_API = ['beta', 'open'] as const;
type UpdatesBy = (typeof UPDATES_BY)[number];

/** A wrong setting. The message is one line that names the setting and a correct value. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment = process.env): Config {
  const host = text(env, 'HOST') ?? '127.0.0.1';
  const port = integer(env, 'PORT', { fallback: 8080, min: 0, max: 65_535 });
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']);
  const databaseDirectUrl = url(env, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']);
  const databaseReplicaUrl = url(env, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:']);
  const redisUrl = url(env, 'REDIS_URL', ['redis:', 'rediss:']);
  const redisTimeoutMs = integer(env, 'REDIS_TIMEOUT_MS', { fallback: 50, min: 1, max: 10_000 });
  const botToken = text(env, 'TELEGRAM_BOT_TOKEN');
  const publicUrl = url(env, 'PUBLIC_URL', ['http:', 'https:']);
  const secretKey = text(env, 'SECRET_KEY');
  const updates = oneOf(env, 'TELEGRAM_UPDATES', UPDATES_BY, 'polling');

  if (botToken !== undefined && !/^\d+:[\w-]{20,}$/.test(botToken)) {
    throw new ConfigError('TELEGRAM_BOT_TOKEN does not look like a bot token: copy it from @BotFather (123456:ABC…)');
  }
  if (botToken === undefined && text(env, 'TELEGRAM_API_ROOT') !== undefined) {
    throw new ConfigError(
      'TELEGRAM_API_ROOT is of use only with TELEGRAM_BOT_TOKEN: set both, or neither for the sandbox',
    );
  }
  if (secretKey !== undefined && secretKey.length < 32) {
    throw new ConfigError('SECRET_KEY is too short: use 32 characters or more (for example: openssl rand -hex 32)');
  }
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_DIRECT_URL is of use only with DATABASE_URL, the address of a pooler: set both or neither',
    );
  }
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_REPLICA_URL is of use only with DATABASE_URL: the embedded PostgreSQL has no replica',
    );
  }
  if (databaseUrl !== undefined && botToken !== undefined && secretKey === undefined) {
    throw new ConfigError(
      'SECRET_KEY must be set when live on a DATABASE_URL: processes that share a database share it',
    );
  }
  if (botToken === undefined && updates === 'webhook') {
    throw new ConfigError('TELEGRAM_UPDATES=webhook is of use only with TELEGRAM_BOT_TOKEN: unset it for the sandbox');
  }
  if (updates === 'webhook' && !publicUrl?.startsWith('https:')) {
    throw new ConfigError('TELEGRAM_UPDATES=webhook needs PUBLIC_URL, an https address that Telegram can reach');
  }
  const webhookPort = updates === 'webhook' && publicUrl !== undefined ? new URL(publicUrl).port : '';
  if (webhookPort !== '' && !TELEGRAM_WEBHOOK_PORTS.has(webhookPort)) {
    throw new ConfigError(
      `PUBLIC_URL has port ${webhookPort}, to which Telegram sends no webhooks: use 443, 80, 88 or 8443, or TELEGRAM_UPDATES=polling`,
    );
  }

  const metricsToken = text(env, 'METRICS_TOKEN');
  if (metricsToken !== undefined && !/^[\x21-\x7e]{16,}$/.test(metricsToken)) {
    throw new ConfigError(
      'METRICS_TOKEN must be 16 characters or more, without spaces (for example: openssl rand -hex 32)',
    );
  }

  const rateLimit = {
    perSecond: integer(env, 'RATE_LIMIT_PER_SECOND', { fallback: 50, min: 1, max: 1_000_000 }),
    burst: integer(env, 'RATE_LIMIT_BURST', { fallback: 100, min: 1, max: 1_000_000 }),
  };
  return Object.freeze({
    host,
    port,
    publicUrl: publicUrl ?? `http://${reachableHost(host)}:${port}`,
    dataDir: text(env, 'DATA_DIR') ?? './data',
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrl,
    redis: redisUrl === undefined ? undefined : { url: redisUrl, timeoutMs: redisTimeoutMs },
    telegram:
      botToken === undefined
        ? undefined
        : {
            botToken,
            apiRoot: url(env, 'TELEGRAM_API_ROOT', ['http:', 'https:']) ?? 'https://api.telegram.org',
            updates,
          },
    secretKey,
    operatorIds:
      botToken === undefined && env.OPERATOR_IDS === undefined ? [SANDBOX_OPERATOR] : integers(env, 'OPERATOR_IDS'),
    supportContact: supportContact(env),
    roles: roles(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    stopTimeoutMs: integer(env, 'STOP_TIMEOUT_MS', { fallback: 9_500, min: 1_000, max: 600_000 }),
    drainMs: integer(env, 'DRAIN_SECONDS', { fallback: 0, min: 0, max: 300 }) * 1_000,
    rateLimit,
    addressRateLimit: {
      perSecond: integer(env, 'ADDRESS_RATE_LIMIT_PER_SECOND', { fallback: 20, min: 1, max: 1_000_000 }),
      burst: integer(env, 'ADDRESS_RATE_LIMIT_BURST', { fallback: 40, min: 1, max: 1_000_000 }),
    },
    publisherSharePercent: integer(env, 'PUBLISHER_SHARE_PERCENT', { fallback: 70, min: 1, max: 100 }),
    unknownCharge: oneOf(env, 'UNKNOWN_CHARGE', UNKNOWN_CHARGES, 'full'),
    webhookApi: oneOf(env, 'WEBHOOK_API', WEBHOOK_API, 'beta'),
    reservationSeconds: integer(env, 'RESERVATION_MINUTES', { fallback: 60, min: 1, max: 24 * 60 }) * 60,
    reservationsOfNewBot: integer(env, 'NEW_BOT_RESERVATIONS', { fallback: 20, min: 1, max: 1_000_000 }),
    candidateCheckMs: integer(env, 'TELEGRAM_CANDIDATE_CHECK_MS', { fallback: 250, min: 1, max: 10_000 }),
    checksPerSecond: integer(env, 'TELEGRAM_CHECKS_PER_SECOND', { fallback: 25, min: 1, max: 1_000 }),
    payoutMinimumKopecks:
      BigInt(integer(env, 'PAYOUT_MINIMUM_RUBLES', { fallback: 100, min: 1, max: 1_000_000 })) * 100n,
    payoutReviewAboveKopecks:
      BigInt(integer(env, 'PAYOUT_REVIEW_ABOVE', { fallback: 0, min: 0, max: 100_000_000 })) * 100n,
    cryptoPay: cryptoPay(env),
    trustedProxies: addressRanges(env, 'TRUSTED_PROXIES'),
    allowedHosts: hostNames(env, 'ALLOWED_HOSTS'),
    contestMinimumPriceKopecks:
      BigInt(integer(env, 'CONTEST_MINIMUM_PRICE_RUBLES', { fallback: 1, min: 0, max: 1_000_000 })) * 100n,
    approvesContests: oneOf(env, 'CONTEST_APPROVAL', ON_OFF, botToken === undefined ? 'off' : 'on') === 'on',
    storesDeviceMarks: oneOf(env, 'DEVICE_MARKS', ON_OFF, 'on') === 'on',
    humanCheck: humanCheck(env),
    hasDemoHistory: oneOf(env, 'DEMO_HISTORY', ON_OFF, 'on') === 'on',
    moderatesOrders: oneOf(env, 'ORDER_MODERATION', ON_OFF, botToken === undefined ? 'off' : 'on') === 'on',
    metricsToken,
    quality: quality(env),
    userLimits: userLimits(env),
    tracing: tracing(env),
    databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', { fallback: 8, min: 2, max: 100 }),
    migrations: {
      lockSeconds: integer(env, 'MIGRATION_LOCK_SECONDS', { fallback: 3, min: 1, max: 600 }),
      statementSeconds: integer(env, 'MIGRATION_TIMEOUT_SECONDS', { fallback: 600, min: 1, max: 86_400 }),
    },
    databaseRestartSeconds: integer(env, 'DATABASE_RESTART_SECONDS', { fallback: 60, min: 1, max: 3_600 }),
  });
}

function quality(env: Environment): Config['quality'] {
  const hours = (name: string, fallback: number): number => integer(env, name, { fallback, min: 0, max: 720 }) * 3_600;
  const percent = (name: string, fallback: number): number => integer(env, name, { fallback, min: 0, max: 100 });
  const watchedBelow = percent('QUALITY_WATCHED_BELOW', 60);
  const lowBelow = percent('QUALITY_LOW_BELOW', 40);
  if (lowBelow > watchedBelow) {
    throw new ConfigError('QUALITY_LOW_BELOW must not be above QUALITY_WATCHED_BELOW: low is the worse level');
  }
  return {
    isOn: oneOf(env, 'QUALITY_SCORING', ON_OFF, 'on') === 'on',
    watchedBelow,
    lowBelow,
    minSubscriptions: integer(env, 'QUALITY_MIN_SUBSCRIPTIONS', { fallback: 30, min: 1, max: 1_000_000 }),
    newHoldSeconds: hours('QUALITY_NEW_HOLD_HOURS', 0),
    watchedHoldSeconds: hours('QUALITY_WATCHED_HOLD_HOURS', 72),
    lowHoldSeconds: hours('QUALITY_LOW_HOLD_HOURS', 168),
    lowOrderSharePercent: percent('QUALITY_LOW_ORDER_SHARE', 10),
    samplePercent: percent('QUALITY_SAMPLE_PERCENT', 20),
  };
}

function userLimits(env: Environment): Config['userLimits'] {
  const limit = (name: string, fallback: number): number => integer(env, name, { fallback, min: 0, max: 1_000_000 });
  return {
    perHour: limit('USER_SUBSCRIPTIONS_PER_HOUR', 60),
    perDay: limit('USER_SUBSCRIPTIONS_PER_DAY', 200),
    usersPerDevice: limit('DEVICE_USERS', 5),
    hidesTasks: oneOf(env, 'OVER_LIMIT_TASKS', OVER_LIMIT_TASKS, 'shown') === 'hidden',
  };
}

function cryptoPay(env: Environment): Config['cryptoPay'] {
  const token = text(env, 'CRYPTO_PAY_TOKEN');
  const apiRoot = url(env, 'CRYPTO_PAY_API_ROOT', ['http:', 'https:'])?.replace(/\/+$/, '') ?? 'https://pay.crypt.bot';
  const asset = oneOf(env, 'CRYPTO_PAY_ASSET', CRYPTO_ASSET_NAMES, 'USDT');
  return token === undefined ? undefined : { token, apiRoot, asset };
}

function humanCheck(env: Environment): Config['humanCheck'] {
  const isOn = oneOf(env, 'HUMAN_CHECK', ON_OFF, 'on') === 'on';
  const strength = integer(env, 'HUMAN_CHECK_STRENGTH', { fallback: 60, min: 1, max: 1_000 });
  const miniAppLink = text(env, 'MINI_APP_LINK');
  if (miniAppLink !== undefined && !/^https:\/\/t\.me\/[a-zA-Z]\w{3,31}(\/\w{3,32})?$/.test(miniAppLink)) {
    throw new ConfigError(
      `MINI_APP_LINK must be like https://t.me/your_bot or https://t.me/your_bot/app, not ${shown(miniAppLink)}`,
    );
  }
  return isOn ? { strength, miniAppLink } : undefined;
}

/** The names are those of OpenTelemetry, whose exporter also reads its other settings, such as the headers. */
function tracing(env: Environment): Config['tracing'] {
  const endpoint = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const share = text(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
  if (!/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(share)) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${shown(share)}`);
  }
  return endpoint === undefined ? undefined : { endpoint, share: Number(share) };
}

function supportContact(env: Environment): SupportContact | undefined {
  const contact = text(env, 'SUPPORT_CONTACT');
  if (contact === undefined) return undefined;
  if (/^@[a-zA-Z]\w{3,31}$/.test(contact)) return { text: contact, url: `https://t.me/${contact.slice(1)}` };
  if (/^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/.test(contact)) return { text: contact, url: `mailto:${contact}` };
  if (/^https:\/\/\S{1,200}$/.test(contact) && URL.canParse(contact)) {
    return { text: contact.replace(/^https:\/\//, '').replace(/\/$/, ''), url: contact };
  }
  throw new ConfigError(`SUPPORT_CONTACT must be a @name, an e-mail or an https address, not ${shown(contact)}`);
}

/** Returns a setting without surrounding spaces. An empty setting counts as absent, like `NAME=` in an .env file. */
function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/** Returns the host for a URL that works on this machine when the server listens on `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Quotes a wrong value for an error message: on one line and shortened. */
function shown(value: string): string {
  return JSON.stringify(value.length > 50 ? `${value.slice(0, 50)}…` : value);
}

function integer(env: Environment, name: string, range: { fallback: number; min: number; max: number }): number {
  const value = text(env, name);
  if (value === undefined) return range.fallback;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= range.min && number <= range.max) return number;
  throw new ConfigError(`${name} must be a whole number from ${range.min} to ${range.max}, not ${shown(value)}`);
}

function list(env: Environment, name: string): readonly string[] {
  return (text(env, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

function addressRanges(env: Environment, name: string): readonly string[] {
  const items = list(env, name);
  const wrong = items.find((item) => !isAddressRange(item));
  if (wrong === undefined) return items;
  throw new ConfigError(`${name} must be addresses or ranges like 10.0.0.0/8 with commas between, not ${shown(wrong)}`);
}

function hostNames(env: Environment, name: string): readonly string[] {
  const items = list(env, name);
  const wrong = items.find((item) => !isHostName(item));
  if (wrong === undefined) return items;
  throw new ConfigError(`${name} must be host names without ports, with commas between, not ${shown(wrong)}`);
}

function integers(env: Environment, name: string): readonly number[] {
  const items = list(env, name);
  const wrong = items.find((item) => !/^\d{1,15}$/.test(item));
  if (wrong !== undefined)
    throw new ConfigError(`${name} must be Telegram user ids with commas between, not ${shown(wrong)}`);
  return items.map(Number);
}

function oneOf<T extends string>(env: Environment, name: string, values: readonly T[], fallback: T): T {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const found = values.find((candidate) => candidate === value);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${shown(value)}`);
  return found;
}

function roles(env: Environment): ReadonlySet<Role> {
  const names = (text(env, 'ROLES') ?? ROLES.join(','))
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const wrong = names.find((name) => !(ROLES as readonly string[]).includes(name));
  if (wrong !== undefined)
    throw new ConfigError(`ROLES must be a list out of ${ROLES.join(', ')}, not ${shown(wrong)}`);
  if (names.length === 0) throw new ConfigError(`ROLES names no role: use a list out of ${ROLES.join(', ')}`);
  return new Set(names as Role[]);
}

/**
 * Reads a URL and removes slashes at its end. The error never repeats the value, because a URL may contain a password.
 */
function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const beginnings = protocols.map((protocol) => `${protocol}//`);
  if (URL.canParse(value) && beginnings.some((beginning) => value.startsWith(beginning))) {
    return value.replace(/\/+$/, '');
  }
  throw new ConfigError(`${name} must be an address that begins with ${beginnings.join(' or ')}`);
}
