import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../config.ts';
import { checkSettings } from './check-machine.ts';

const LIVE = { TELEGRAM_BOT_TOKEN: '1234567:abcdefghijklmnopqrstuvwxyz012345678', SECRET_KEY: 'x'.repeat(32) };

const warningsOf = (settings: Readonly<Record<string, string>>): string[] =>
  [...checkSettings(readConfig(settings))].filter(({ level }) => level === 'warn').map(({ subject }) => subject);

test('a live service with the human check and without the link of its Mini App is warned', () => {
  assert.ok(warningsOf(LIVE).includes('human check'));
});

test('the link of the Mini App, or switching the check off, ends the warning', () => {
  for (const change of [{ MINI_APP_LINK: 'https://t.me/our_bot' }, { HUMAN_CHECK: 'off' }]) {
    assert.ok(!warningsOf({ ...LIVE, ...change }).includes('human check'), JSON.stringify(change));
  }
});

test('a sandbox needs no link', () => {
  assert.ok(!warningsOf({}).includes('human check'));
});
