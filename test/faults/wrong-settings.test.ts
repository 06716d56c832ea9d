import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createDataDir, type DataDir } from '../support/data-dir.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { runCommand, type Settings } from '../support/process.ts';

/** Is in every setting that can contain a secret. The output must not contain any part of it. */
const SECRET = 'hunter2hunter2';
const BOT_TOKEN = '123456789:AAHunter2Hunter2Hunter2Hunter2Hunter2';

let dataDir: DataDir;
let database: { url: string; drop(): Promise<void> };
const busy = createServer();

before(async () => {
  dataDir = await createDataDir();
  database = await createEmptyDatabase();
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  busy.close();
  await database.drop();
  await dataDir.remove();
});

function busyPort(): string {
  const address = busy.address();
  assert.ok(typeof address === 'object' && address !== null);
  return String(address.port);
}

interface Case {
  readonly name: string;
  readonly settings: () => Settings;
  /** The text that the line must contain, so that the reader knows which setting to correct. */
  readonly names: RegExp;
}

const wrong = (settings: Settings, names: RegExp): Case => ({
  name: Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(' '),
  settings: () => settings,
  names,
});

const CASES: readonly Case[] = [
  wrong({ PORT: 'abc' }, /PORT/),
  wrong({ ROLES: 'foo' }, /ROLES.*api, bot, worker/),
  wrong({ ROLES: ',' }, /ROLES/),
  wrong({ DATABASE_URL: `http://me:${SECRET}@127.0.0.1/x` }, /DATABASE_URL.*postgres:\/\//),
  wrong({ REDIS_URL: `http://:${SECRET}@127.0.0.1` }, /REDIS_URL/),
  wrong({ SECRET_KEY: SECRET }, /SECRET_KEY/),
  wrong({ RATE_LIMIT_PER_SECOND: '0' }, /RATE_LIMIT_PER_SECOND/),
  wrong({ TELEGRAM_API_ROOT: 'http://127.0.0.1:1' }, /TELEGRAM_API_ROOT.*TELEGRAM_BOT_TOKEN/),
  wrong({ TELEGRAM_BOT_TOKEN: SECRET }, /TELEGRAM_BOT_TOKEN/),
  wrong({ TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_ROOT: `ftp://me:${SECRET}@x` }, /TELEGRAM_API_ROOT/),
  wrong({ TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_UPDATES: 'webhook' }, /PUBLIC_URL.*https/),
  wrong({ TELEGRAM_BOT_TOKEN: BOT_TOKEN, DATABASE_URL: `postgres://me:${SECRET}@127.0.0.1/x` }, /SECRET_KEY/),
  wrong({ DATABASE_URL: `postgres://me:${SECRET}@127.0.0.1:1/x` }, /DATABASE_URL|database/i),
  {
    name: 'a DATABASE_URL without such a database',
    settings: () => ({ DATABASE_URL: `${database.url}_not` }),
    names: /DATABASE_URL|database/i,
  },
  {
    name: 'a PORT that is taken',
    settings: () => ({ DATABASE_URL: database.url, PORT: busyPort() }),
    names: /PORT|port|in use/,
  },
  {
    name: 'a DATA_DIR that cannot be made',
    settings: () => ({ DATA_DIR: join(import.meta.filename, 'data') }),
    names: /DATA_DIR/,
  },
];

describe('a wrong setting stops the start with one line that names it and contains no secret', {
  concurrency: 3,
}, () => {
  for (const { name, settings, names } of CASES) {
    test(name.replaceAll(SECRET, '…').replaceAll(BOT_TOKEN, '…'), async () => {
      const given = settings();
      const finished = await runCommand(['start'], { PORT: '0', DATA_DIR: dataDir.path, ...given });
      assert.deepEqual(
        { code: finished.code, signal: finished.signal, stdout: finished.stdout },
        { code: 1, signal: null, stdout: '' },
        finished.stderr,
      );
      assert.match(finished.stderr, /^sponsorgate: [^\n]+\n$/);
      assert.match(finished.stderr, names);
      const password = URL.canParse(given.DATABASE_URL ?? '') ? new URL(given.DATABASE_URL ?? '').password : '';
      for (const secret of [SECRET, BOT_TOKEN, password].filter(Boolean)) {
        assert.ok(!finished.stderr.includes(secret), 'a secret was printed');
      }
    });
  }
});

test('an unknown command is rejected with one line that names the known ones', async () => {
  const finished = await runCommand(['verfy-ledger'], {});
  assert.equal(finished.code, 1);
  assert.match(finished.stderr, /^sponsorgate: [^\n]*verfy-ledger[^\n]*start[^\n]*verify-ledger[^\n]*\n$/);
});

test('an old Node prints advice before it loads a file that it cannot parse', async () => {
  const bin = join(import.meta.dirname, '../../bin');
  // Node resolves all static imports before it runs the first line, and Node 20 lacks some of the names that we import.
  const staticImports = async (file: string): Promise<string[]> =>
    (await readFile(join(bin, file), 'utf8')).split('\n').filter((line) => /^(import|export)\b.*['"]/.test(line));
  assert.deepEqual(await staticImports('sponsorgate.js'), ["import './require-node.js';"]);
  assert.deepEqual(await staticImports('require-node.js'), []);

  const pretend = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})";
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, ['--import', pretend, join(bin, 'sponsorgate.js')], (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  assert.equal(code, 1);
  assert.match(stderr, /^Sponsorgate needs Node 24 or newer, [^\n]*npm start[^\n]*\n$/);
});
