import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceOnPlatform, readUserAgent } from './device.ts';
import type { Device } from './link.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const ANDROID = `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`;
const ANDROID_TABLET = `Mozilla/5.0 (Linux; Android 13; SM-X906C) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`;
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const IPAD = IPHONE.replace('iPhone; CPU iPhone OS', 'iPad; CPU OS');
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`;
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
const TELEVISION = `Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) ${WEBKIT} SamsungBrowser/4.0 Chrome/76.0.3809.146 TV Safari/537.36`;

test('common browsers are recognized by device and operating system', () => {
  const expected: [string, Device['deviceType'], Device['os']][] = [
    [ANDROID, 'smartphone', 'Android'],
    [`${ANDROID} Telegram-Android/11.3.3 (Google Pixel 8; Android 14; SDK 34; HIGH)`, 'smartphone', 'Android'],
    [ANDROID_TABLET, 'tablet', 'Android'],
    [IPHONE, 'smartphone', 'iOS'],
    [IPAD, 'tablet', 'iOS'],
    [MAC, 'desktop', 'macOS'],
    [WINDOWS, 'desktop', 'Windows'],
    [LINUX, 'desktop', undefined],
    [TELEVISION, undefined, undefined],
    ['Something/1.0 nobody knows', undefined, undefined],
  ];
  for (const [header, deviceType, os] of expected) {
    assert.deepEqual(readUserAgent(header), { isAutomatic: false, deviceType, os }, header);
  }
});

test('previews, crawlers, scripts and requests without a header are automatic', () => {
  for (const header of [
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2.23.20.0',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'curl/8.5.0',
    'python-requests/2.31',
    '',
    ' ',
    undefined,
  ]) {
    assert.equal(readUserAgent(header).isAutomatic, true, String(header));
  }
});

test('a header built to slow down regular expressions is parsed within the time limit of a test', () => {
  assert.equal(readUserAgent(`Mozilla/5.0 (${'Android '.repeat(2_000)}`).isAutomatic, false);
});

test('the launch parameters name the operating system, the browser separates tablets from desktops', () => {
  const on = (platform: string | undefined, header: string): Device =>
    deviceOnPlatform(platform, readUserAgent(header));
  assert.deepEqual(on('android', ANDROID), { deviceType: 'smartphone', os: 'Android' });
  assert.deepEqual(on('android', ANDROID_TABLET), { deviceType: 'tablet', os: 'Android' });
  assert.deepEqual(on('ios', IPHONE), { deviceType: 'smartphone', os: 'iOS' });
  assert.deepEqual(on('ios', MAC), { deviceType: 'tablet', os: 'iOS' }, 'an iPad that calls itself a Mac');
  assert.deepEqual(on('macos', MAC), { deviceType: 'desktop', os: 'macOS' });
  assert.deepEqual(on('tdesktop', WINDOWS), { deviceType: 'desktop', os: 'Windows' });
  assert.deepEqual(on('tdesktop', ANDROID), { deviceType: 'desktop', os: undefined });
  for (const web of ['weba', 'webk', 'web', undefined, 'constructor', '__proto__']) {
    assert.deepEqual(on(web, ANDROID), { deviceType: 'smartphone', os: 'Android' }, String(web));
  }
});
