import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSignals } from './device-signals.ts';

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36';
const IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36';

const SIGNALS = {
  id: '0123456789abcdef0123456789abcdef',
  screen: { width: 412, height: 915 },
  time_zone: 'Europe/Moscow',
  touch_points: 5,
  is_automated: false,
  pressed_by: 'pointer',
  pressed_after_ms: 900,
};
const PHONE = { platform: 'android', userAgent: ANDROID };
const faultOf = (sent: unknown, request = PHONE): string | undefined => {
  const read = readSignals(sent, request);
  return read.kind === 'ignored' ? read.fault : undefined;
};

test('the signals of a person are believed, by touch, by keyboard and without storage', () => {
  assert.deepEqual(readSignals(SIGNALS, PHONE), { kind: 'believed', signals: SIGNALS });
  const { id: _, ...withoutStorage } = SIGNALS;
  assert.equal(faultOf(withoutStorage), undefined);
  assert.equal(faultOf({ ...SIGNALS, pressed_by: 'keyboard' }), undefined);
  assert.equal(faultOf(SIGNALS, { platform: 'ios', userAgent: IPAD }), undefined);
  assert.equal(faultOf({ ...SIGNALS, touch_points: 0 }, { platform: 'tdesktop', userAgent: LINUX }), undefined);
  assert.equal(faultOf({ ...SIGNALS, touch_points: 0 }, { platform: 'weba', userAgent: LINUX }), undefined);
});

test('a program is recognised by its own flag and by its speed', () => {
  assert.equal(faultOf({ ...SIGNALS, is_automated: true }), 'automated');
  assert.equal(faultOf({ ...SIGNALS, pressed_after_ms: 20 }), 'automated');
});

test('signals of a wrong shape are forged', () => {
  for (const sent of [
    undefined,
    null,
    'device',
    [],
    {},
    { ...SIGNALS, id: 'x' },
    { ...SIGNALS, id: SIGNALS.id.toUpperCase() },
    { ...SIGNALS, screen: { width: 0, height: 915 } },
    { ...SIGNALS, screen: { width: 1e9, height: 915 } },
    { ...SIGNALS, time_zone: 'Moon/Crater' },
    { ...SIGNALS, time_zone: '' },
    { ...SIGNALS, touch_points: -1 },
    { ...SIGNALS, pressed_by: 'mind' },
    { ...SIGNALS, pressed_after_ms: '900' },
    { ...SIGNALS, more: true },
  ]) {
    assert.equal(faultOf(sent), 'forged_device', JSON.stringify(sent));
  }
});

test('signals that contradict the request are forged', () => {
  for (const [platform, userAgent] of [
    ['ios', ANDROID],
    ['android', IPAD],
    ['unigram', LINUX],
    ['toaster', ANDROID],
    ['constructor', ANDROID],
    [undefined, ANDROID],
    ['android', undefined],
  ] as const) {
    assert.equal(readSignals(SIGNALS, { platform, userAgent }).kind, 'ignored', `${platform} ${userAgent}`);
  }
  assert.equal(faultOf({ ...SIGNALS, touch_points: 0 }), 'forged_device', 'a phone has a touch screen');
});
