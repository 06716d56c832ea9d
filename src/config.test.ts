import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Config, ConfigError, readConfig } from './config.ts';

type Environment = Readonly<Record<string, string>>;

const TOKEN = '123456789:AAE-secret_bot_token_of_the_service';
const KEY = 'a-secret-key-of-thirty-two-letters!!';
const LIVE: Environment = { TELEGRAM_BOT_TOKEN: TOKEN };

/** Returns the message of the ConfigError for these settings, and checks that it is one line. */
function refusal(env: Environment): string {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    assert.doesNotMatch(error.message, /[\r\n]/, 'one line');
    assert.ok(error.message.length < 250, 'a line that can be read');
    return error.message;
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`);
}

test('without settings the service is a local sandbox with the documented defaults', () => {
  const { roles, ...rest } = readConfig({});
  assert.deepEqual([...roles], ['api', 'bot', 'worker']);
  const expected: Partial<Config> = {
    host: '127.0.0.1',
    port: 8080,
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: './data',
    databaseUrl: undefined,
    redis: undefined,
    telegram: undefined,
    secretKey: undefined,
    operatorIds: [100_005],
    supportContact: undefined,
    logLevel: 'info',
    rateLimit: { perSecond: 50, burst: 100 },
    publisherSharePercent: 70,
    reservationSeconds: 3600,
    reservationsOfNewBot: 20,
    checksPerSecond: 25,
    candidateCheckMs: 250,
  };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(rest[name as keyof typeof rest], value, name);
  assert.equal(rest.addressRateLimit.perSecond, 20);
});

test('the settings are frozen', () => {
  assert.ok(Object.isFrozen(readConfig({})));
});

describe('numbers', () => {
  const numbers: readonly [string, number, number, (config: Config) => number][] = [
    ['PORT', 0, 65_535, (config) => config.port],
    ['RATE_LIMIT_PER_SECOND', 1, 1_000_000, (config) => config.rateLimit.perSecond],
    ['RATE_LIMIT_BURST', 1, 1_000_000, (config) => config.rateLimit.burst],
    ['ADDRESS_RATE_LIMIT_PER_SECOND', 1, 1_000_000, (config) => config.addressRateLimit.perSecond],
    ['ADDRESS_RATE_LIMIT_BURST', 1, 1_000_000, (config) => config.addressRateLimit.burst],
    ['PUBLISHER_SHARE_PERCENT', 1, 100, (config) => config.publisherSharePercent],
    ['NEW_BOT_RESERVATIONS', 1, 1_000_000, (config) => config.reservationsOfNewBot],
    ['RESERVATION_MINUTES', 1, 24 * 60, (config) => config.reservationSeconds / 60],
    ['TELEGRAM_CHECKS_PER_SECOND', 1, 1000, (config) => config.checksPerSecond],
    ['TELEGRAM_CANDIDATE_CHECK_MS', 1, 10_000, (config) => config.candidateCheckMs],
    ['DATABASE_POOL_SIZE', 2, 100, (config) => config.databasePoolSize],
    ['DATABASE_RESTART_SECONDS', 1, 3_600, (config) => config.databaseRestartSeconds],
  ];
  for (const [name, min, max, read] of numbers) {
    test(`${name} is a whole number from ${min} to ${max}, and the error names this range`, () => {
      const byDefault = read(readConfig({}));
      for (const value of [min, max]) assert.equal(read(readConfig({ [name]: String(value) })), value);
      assert.equal(read(readConfig({ [name]: ` ${max} ` })), max, 'blanks around it do not matter');
      for (const empty of ['', '  ']) assert.equal(read(readConfig({ [name]: empty })), byDefault, 'empty is absent');
      const wrong = [min - 1, max + 1, 1e21, 'ten', '1.5', '5x', '0x10', '1e3', '-1', '١', 'Infinity', 'NaN', '5 5'];
      for (const value of wrong) {
        assert.equal(
          refusal({ [name]: String(value) }),
          `${name} must be a whole number from ${min} to ${max}, not "${value}"`,
        );
      }
    });
  }
});

test('DATABASE_DIRECT_URL needs DATABASE_URL', () => {
  assert.match(refusal({ DATABASE_DIRECT_URL: 'postgres://h/d' }), /^DATABASE_DIRECT_URL .* DATABASE_URL/);
});

test('DATABASE_REPLICA_URL needs DATABASE_URL', () => {
  assert.match(refusal({ DATABASE_REPLICA_URL: 'postgres://h/d' }), /^DATABASE_REPLICA_URL .* DATABASE_URL/);
});

test('a process stops at once unless DRAIN_SECONDS is set', () => {
  assert.equal(readConfig({}).drainMs, 0);
  assert.equal(readConfig({ DRAIN_SECONDS: '5' }).drainMs, 5_000);
});

test('the Redis timeout is 50 ms unless REDIS_TIMEOUT_MS is set', () => {
  const timeoutMs = (env: Environment) => readConfig({ REDIS_URL: 'redis://host', ...env }).redis?.timeoutMs;
  assert.equal(timeoutMs({}), 50);
  assert.equal(timeoutMs({ REDIS_TIMEOUT_MS: '10' }), 10);
  assert.match(refusal({ REDIS_TIMEOUT_MS: '0' }), /^REDIS_TIMEOUT_MS must be a whole number from 1 to 10000/);
});

test('traces need an address; their share is 1 unless OTEL_TRACES_SAMPLER_ARG is set', () => {
  const endpoint = 'http://127.0.0.1:4318';
  const tracing = (env: Environment) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env }).tracing;
  assert.equal(readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing, undefined);
  assert.deepEqual(tracing({}), { endpoint, share: 1 });
  assert.deepEqual(tracing({ OTEL_TRACES_SAMPLER_ARG: '0.01' }), { endpoint, share: 0.01 });
  for (const wrong of ['2', '-1', '1.5', 'all', '50%']) {
    assert.match(refusal({ OTEL_TRACES_SAMPLER_ARG: wrong }), /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/);
  }
  assert.match(
    refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }),
    /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address/,
  );
});

test('migrations wait 3 s for a lock and run for 10 minutes unless the settings say otherwise', () => {
  assert.deepEqual(readConfig({}).migrations, { lockSeconds: 3, statementSeconds: 600 });
  const env = { MIGRATION_LOCK_SECONDS: '1', MIGRATION_TIMEOUT_SECONDS: '7200' };
  assert.deepEqual(readConfig(env).migrations, { lockSeconds: 1, statementSeconds: 7_200 });
  assert.match(
    refusal({ MIGRATION_LOCK_SECONDS: '0' }),
    /^MIGRATION_LOCK_SECONDS must be a whole number from 1 to 600/,
  );
});

describe('addresses', () => {
  const addresses: readonly [string, string, string, (config: Config) => string | undefined][] = [
    ['DATABASE_URL', 'postgres://user:pass@host:5432/name', 'postgres:// or postgresql://', (c) => c.databaseUrl],
    ['DATABASE_URL', 'postgresql://user:pass@host/name', 'postgres:// or postgresql://', (c) => c.databaseUrl],
    [
      'DATABASE_DIRECT_URL',
      'postgres://user:pass@host/name',
      'postgres:// or postgresql://',
      (c) => c.databaseDirectUrl,
    ],
    [
      'DATABASE_REPLICA_URL',
      'postgres://user:pass@host/name',
      'postgres:// or postgresql://',
      (c) => c.databaseReplicaUrl,
    ],
    ['PUBLIC_URL', 'https://example.com/base', 'http:// or https://', (c) => c.publicUrl],
    ['REDIS_URL', 'redis://user:pass@host:6379/1', 'redis:// or rediss://', (c) => c.redis?.url],
    ['REDIS_URL', 'rediss://host', 'redis:// or rediss://', (c) => c.redis?.url],
    ['TELEGRAM_API_ROOT', 'http://127.0.0.1:8081/bots', 'http:// or https://', (c) => c.telegram?.apiRoot],
  ];
  for (const [name, value, beginnings, read] of addresses) {
    test(`${name} accepts ${value}, and the error for a wrong address does not repeat the address`, () => {
      const others = { ...LIVE, SECRET_KEY: KEY, DATABASE_URL: 'postgres://h/d' };
      assert.equal(read(readConfig({ ...others, [name]: value })), value);
      for (const wrong of [
        'hunter2',
        'ftp://hunter2@host',
        '//hunter2',
        'localhost:5432/hunter2',
        'http:hunter2',
        'postgres:hunter2',
      ]) {
        const message = refusal({ ...others, [name]: wrong });
        assert.equal(message, `${name} must be an address that begins with ${beginnings}`);
      }
    });
  }

  test('slashes at the end are removed, because paths are appended', () => {
    const config = readConfig({ ...LIVE, PUBLIC_URL: 'https://a.example//', TELEGRAM_API_ROOT: 'https://b.example/' });
    assert.deepEqual([config.publicUrl, config.telegram?.apiRoot], ['https://a.example', 'https://b.example']);
  });

  test('the default PUBLIC_URL follows from HOST and PORT and works on this machine', () => {
    for (const [env, expected] of [
      [{ HOST: 'gate.example', PORT: '80' }, 'http://gate.example:80'],
      [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://127.0.0.1:9000'],
      [{ HOST: '::', PORT: '9000' }, 'http://127.0.0.1:9000'],
      [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000'],
      [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://gate.example' }, 'https://gate.example'],
    ] as const) {
      const { publicUrl } = readConfig(env);
      assert.equal(publicUrl, expected);
      assert.ok(URL.canParse(publicUrl));
    }
  });
});

describe('lists and choices', () => {
  test('ROLES is any subset of the roles, in any order', () => {
    assert.deepEqual([...readConfig({ ROLES: 'worker' }).roles], ['worker']);
    assert.deepEqual([...readConfig({ ROLES: ' bot , api,bot' }).roles].sort(), ['api', 'bot']);
    assert.equal(refusal({ ROLES: 'api,cook' }), 'ROLES must be a list out of api, bot, worker, not "cook"');
    assert.match(refusal({ ROLES: 'API' }), /^ROLES /);
    assert.match(refusal({ ROLES: ', ,' }), /^ROLES /, 'a service that does nothing was not meant');
  });

  test('SUPPORT_CONTACT is a name in Telegram, an e-mail or a page', () => {
    const contacts: [string, { text: string; url: string }][] = [
      ['@gate_help', { text: '@gate_help', url: 'https://t.me/gate_help' }],
      ['help@gate.example', { text: 'help@gate.example', url: 'mailto:help@gate.example' }],
      ['https://gate.example/help/', { text: 'gate.example/help', url: 'https://gate.example/help/' }],
    ];
    for (const [value, contact] of contacts) {
      assert.deepEqual(readConfig({ SUPPORT_CONTACT: value }).supportContact, contact);
    }
    for (const wrong of ['javascript:alert(1)', 'http://gate.example', 'call us', '@no"quote']) {
      assert.match(
        refusal({ SUPPORT_CONTACT: wrong }),
        /^SUPPORT_CONTACT must be a @name, an e-mail or an https address/,
      );
    }
  });

  test('OPERATOR_IDS is a list of Telegram ids', () => {
    assert.deepEqual(readConfig({ OPERATOR_IDS: '1, 7000000001 ,' }).operatorIds, [1, 7_000_000_001]);
    assert.deepEqual(readConfig({ OPERATOR_IDS: '' }).operatorIds, [], 'a sandbox without an operator');
    for (const wrong of ['@boss', '-5', '1.5', '12345678901234567']) {
      assert.equal(
        refusal({ OPERATOR_IDS: `1,${wrong}` }),
        `OPERATOR_IDS must be Telegram user ids with commas between, not "${wrong}"`,
      );
    }
  });

  test('LOG_LEVEL is one of the known levels', () => {
    for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const) {
      assert.equal(readConfig({ LOG_LEVEL: level }).logLevel, level);
    }
    assert.equal(
      refusal({ LOG_LEVEL: 'loud' }),
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    );
  });

  test('TRUSTED_PROXIES is a list of addresses and ranges', () => {
    assert.deepEqual(readConfig({}).trustedProxies, []);
    const proxies = ['10.0.0.1', '192.168.0.0/16', '::1', 'fd00::/8'];
    assert.deepEqual(readConfig({ TRUSTED_PROXIES: proxies.join(' , ') }).trustedProxies, proxies);
    for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0', '10.0.0.0/8/8', '*', 'true']) {
      assert.equal(
        refusal({ TRUSTED_PROXIES: `10.0.0.1,${wrong}` }),
        `TRUSTED_PROXIES must be addresses or ranges like 10.0.0.0/8 with commas between, not "${wrong}"`,
      );
    }
  });

  test('ALLOWED_HOSTS is a list of names without ports', () => {
    assert.deepEqual(readConfig({}).allowedHosts, []);
    assert.deepEqual(readConfig({ ALLOWED_HOSTS: 'go.example , api' }).allowedHosts, ['go.example', 'api']);
    for (const wrong of ['https://go.example', 'go.example:443', '*', '*.example', 'go.example/']) {
      assert.equal(
        refusal({ ALLOWED_HOSTS: `go.example,${wrong}` }),
        `ALLOWED_HOSTS must be host names without ports, with commas between, not "${wrong}"`,
      );
    }
  });

  test('ORDER_MODERATION is on or off; the default is on in live mode and off in a sandbox', () => {
    assert.equal(readConfig({}).moderatesOrders, false);
    assert.equal(readConfig(LIVE).moderatesOrders, true);
    assert.equal(readConfig({ ORDER_MODERATION: 'on' }).moderatesOrders, true);
    assert.equal(readConfig({ ...LIVE, ORDER_MODERATION: 'off' }).moderatesOrders, false);
    assert.match(refusal({ ORDER_MODERATION: 'maybe' }), /^ORDER_MODERATION must be one of on, off, not "maybe"$/);
  });

  test('DEVICE_MARKS and HUMAN_CHECK are on by default, and off when set so', () => {
    assert.equal(readConfig({}).storesDeviceMarks, true);
    assert.equal(readConfig({ DEVICE_MARKS: 'off' }).storesDeviceMarks, false);
    assert.deepEqual(readConfig({}).humanCheck, { strength: 60, miniAppLink: undefined });
    assert.deepEqual(readConfig({ HUMAN_CHECK_STRENGTH: '1000' }).humanCheck?.strength, 1000);
    assert.equal(readConfig({ HUMAN_CHECK: 'off', MINI_APP_LINK: 'https://t.me/a_bot' }).humanCheck, undefined);
    assert.match(refusal({ HUMAN_CHECK_STRENGTH: '0' }), /^HUMAN_CHECK_STRENGTH must be a whole number from 1 to 1000/);
  });

  test('MINI_APP_LINK is a link of Telegram to a bot or a named Mini App', () => {
    for (const link of ['https://t.me/gate_bot', 'https://t.me/gate_bot/check']) {
      assert.equal(readConfig({ MINI_APP_LINK: link }).humanCheck?.miniAppLink, link);
    }
    for (const wrong of [
      't.me/gate_bot',
      'https://evil.example/gate_bot',
      'https://t.me/gate_bot?startapp=x',
      '@gate_bot',
    ]) {
      assert.match(refusal({ MINI_APP_LINK: wrong }), /^MINI_APP_LINK must be like https:/);
    }
  });

  test('DATA_DIR is a folder', () => {
    assert.equal(readConfig({ DATA_DIR: '/var/lib/sponsorgate' }).dataDir, '/var/lib/sponsorgate');
  });
});

describe('live mode', () => {
  test("a bot token turns on live mode, which uses Telegram's own Bot API by default", () => {
    assert.deepEqual(readConfig(LIVE).telegram, {
      botToken: TOKEN,
      apiRoot: 'https://api.telegram.org',
      updates: 'polling',
    });
  });

  test('the error for a malformed bot token does not repeat the token', () => {
    for (const wrong of ['hunter2', '9876543', '9876543:short', `bot${TOKEN}`, `${TOKEN} x`, `${TOKEN}!`]) {
      const message = refusal({ TELEGRAM_BOT_TOKEN: wrong });
      assert.match(message, /^TELEGRAM_BOT_TOKEN /);
      assert.ok(!message.includes(wrong));
    }
  });

  test('SECRET_KEY is used unchanged, and the error for a short key does not repeat the key', () => {
    assert.equal(readConfig({ SECRET_KEY: KEY }).secretKey, KEY);
    const short = KEY.slice(0, 31);
    const message = refusal({ SECRET_KEY: short });
    assert.match(message, /^SECRET_KEY /);
    assert.ok(!message.includes(short));
  });
});

describe('settings that contradict each other', () => {
  const database = { DATABASE_URL: 'postgres://u:hunter2@h/d' };
  const contradictions: readonly [string, Environment, RegExp][] = [
    [
      'an address of Telegram in the sandbox',
      { TELEGRAM_API_ROOT: 'https://b.example' },
      /TELEGRAM_API_ROOT.*TELEGRAM_BOT_TOKEN/,
    ],
    [
      'a webhook in the sandbox',
      { TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://a.example' },
      /TELEGRAM_UPDATES.*TELEGRAM_BOT_TOKEN/,
    ],
    ['a webhook without an address', { ...LIVE, TELEGRAM_UPDATES: 'webhook' }, /TELEGRAM_UPDATES.*PUBLIC_URL/],
    [
      'a webhook at a port that Telegram refuses',
      { ...LIVE, TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://a.example:9443' },
      /PUBLIC_URL has port 9443.*443, 80, 88 or 8443/,
    ],
    [
      'a webhook without https',
      { ...LIVE, TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'http://a.example' },
      /PUBLIC_URL.*https/,
    ],
    ['a shared database without a shared key', { ...LIVE, ...database }, /SECRET_KEY.*DATABASE_URL/],
    [
      'an unknown way to get updates',
      { ...LIVE, TELEGRAM_UPDATES: 'pigeon' },
      /^TELEGRAM_UPDATES must be one of polling, webhook/,
    ],
  ];
  for (const [what, env, expected] of contradictions) {
    test(`${what} is refused, and the error names the settings`, () => assert.match(refusal(env), expected));
  }

  test('consistent combinations are accepted', () => {
    assert.equal(readConfig({ ...LIVE, ...database, SECRET_KEY: KEY }).secretKey, KEY);
    assert.equal(readConfig(database).databaseUrl, database.DATABASE_URL);
    assert.equal(readConfig({ TELEGRAM_UPDATES: 'polling' }).telegram, undefined);
    const hooked = readConfig({ ...LIVE, TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://a.example' });
    assert.equal(hooked.telegram?.updates, 'webhook');
    for (const port of [443, 80, 88, 8443]) {
      readConfig({ ...LIVE, TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: `https://a.example:${port}` });
    }
    readConfig({ ...LIVE, PUBLIC_URL: 'https://a.example:9443' });
  });
});

test('an error is one line for values with line breaks and very long values', () => {
  const twoLines = 'one\ntwo';
  for (const name of [
    'PORT',
    'ROLES',
    'LOG_LEVEL',
    'OPERATOR_IDS',
    'PUBLIC_URL',
    'DATABASE_URL',
    'TELEGRAM_BOT_TOKEN',
  ]) {
    assert.match(refusal({ [name]: twoLines }), new RegExp(`^${name} `));
    assert.match(refusal({ [name]: 'x'.repeat(5000) }), new RegExp(`^${name} `));
  }
});

test('no error contains a secret', () => {
  const secrets = {
    DATABASE_URL: 'mysql://u:hunter2@h/d',
    TELEGRAM_BOT_TOKEN: 'hunter2',
    SECRET_KEY: 'hunter2',
    REDIS_URL: 'http://:hunter2@h',
  };
  for (const [name, value] of Object.entries(secrets)) {
    assert.ok(!refusal({ [name]: value }).includes('hunter2'), name);
  }
});
