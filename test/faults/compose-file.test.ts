import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The values that an operator puts into .env, as the comment at the top of the compose file asks. */
const ENV_FILE: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'a1b2c3d4e5f6',
  TELEGRAM_BOT_TOKEN: '123456:AAAAAAAAAAAAAAAAAAAAAAAAAA',
  SECRET_KEY: 'f'.repeat(64),
  METRICS_TOKEN: 'e'.repeat(64),
  PUBLIC_URL: 'https://sponsors.example',
};

/** Returns the settings that all processes of the compose file share, with `${NAME…}` replaced as Docker does. */
async function settingsOfCompose(): Promise<Record<string, string>> {
  const text = await readFile(join(ROOT, 'compose.yaml'), 'utf8');
  const [, block = ''] = /^x-environment: &environment\n((?: {2}.*\n)+)/m.exec(text) ?? [];
  const lines = [...block.matchAll(/^ {2}([A-Z_]+): "?(.*?)"?$/gm)];
  assert.ok(lines.length >= 5, 'the settings are found');
  const fill = (value: string) =>
    value.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind?: string, rest?: string) => {
      const given = ENV_FILE[name] ?? (kind === '-' ? rest : undefined);
      assert.ok(given !== undefined, `the compose file asks for ${name}, and does not say so at its top`);
      return given;
    });
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, fill(value)]));
}

test('the service accepts every setting of the compose file and knows it by name', async () => {
  const settings = await settingsOfCompose();
  const known = await readFile(join(ROOT, '.env.example'), 'utf8');
  for (const name of Object.keys(settings)) assert.match(known, new RegExp(`^${name}=`, 'm'));
  for (const role of ['api', 'worker', 'bot']) {
    const config = readConfig({ ...settings, ROLES: role });
    assert.deepEqual([...config.roles], [role]);
    assert.ok(config.telegram, 'live, and not a sandbox open to the network');
    assert.deepEqual(
      { host: config.host, port: config.port, database: config.databaseUrl, metrics: config.metricsToken },
      {
        host: '0.0.0.0',
        port: 8080,
        database: 'postgres://sponsorgate:a1b2c3d4e5f6@postgres:5432/sponsorgate',
        metrics: ENV_FILE.METRICS_TOKEN,
      },
    );
  }
});

test('the image is healthy when the service is ready, and the compose file keeps that check', async () => {
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  assert.match(dockerfile, /^HEALTHCHECK .*\\\n.*\/api\/v1\/ready/m);
  const compose = await readFile(join(ROOT, 'compose.yaml'), 'utf8');
  const [, shared = ''] = /^x-sponsorgate: &sponsorgate\n((?: {2}.*\n)+)/m.exec(compose) ?? [];
  assert.ok(shared.includes('image: sponsorgate'));
  assert.ok(!shared.includes('healthcheck'));
});
