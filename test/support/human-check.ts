import assert from 'node:assert/strict';
import { query } from './books.ts';
import type { Sandbox } from './sandbox.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

const DEVICE = {
  id: '0123456789abcdef0123456789abcdef',
  screen: { width: 1280, height: 800 },
  time_zone: 'Europe/Moscow',
  touch_points: 0,
  is_automated: false,
  pressed_by: 'keyboard',
  pressed_after_ms: 1_200,
};

/** Stores signals against a user, as the hourly scoring does. */
export async function suspect(databaseUrl: string, userId: number, strength = 80): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO user_signals (user_id, signal, strength, figures, source, observed_at)
     VALUES ($1, 'test', $2, '{}', 'tasks', now()) ON CONFLICT (user_id, signal) DO UPDATE SET strength = excluded.strength`,
    [userId, strength],
  );
}

export const isCheckLink = (link: string | undefined): boolean =>
  link?.startsWith('https://t.me/sponsorgate_bot?startapp=l_o') === true;

/** Opens a link to the Mini App on the phone of an emulated person. Returns the signed init data. */
async function openOnPhone(sandbox: Sandbox, userId: number, link: string): Promise<string> {
  const startApp = new URL(link).searchParams.get('startapp') ?? '';
  const url = `${sandbox.url}/app?startapp=${startApp}`;
  const opened = await sandbox.control('POST', `/persons/${userId}/web-app`, { bot: 'sponsorgate_bot', url });
  const launch = new URLSearchParams(new URL(opened.url).hash.slice(1));
  return launch.get('tgWebAppData') ?? '';
}

/** Opens a link to the human check as an emulated person, and presses the button unless `presses` is false. */
export async function openCheck(
  sandbox: Sandbox,
  userId: number,
  link: string,
  { presses = true, device = DEVICE }: { presses?: boolean; device?: unknown } = {},
): Promise<{ redirect: string | undefined; isAsked: boolean; isPassed: boolean }> {
  const body = { init_data: await openOnPhone(sandbox, userId, link), platform: 'weba' };
  const headers = { 'user-agent': BROWSER };
  const visit = await sandbox.call('POST', '/app/visit', body, headers);
  assert.equal(visit.status, 200, JSON.stringify(visit.body));
  const { redirect, challenge } = visit.body;
  const isAsked = challenge !== undefined;
  if (!isAsked || !presses) return { redirect, isAsked, isPassed: false };
  const check = await sandbox.call('POST', '/app/check', { ...body, challenge, consent: true, device }, headers);
  assert.equal(check.status, 200, JSON.stringify(check.body));
  return { redirect, isAsked, isPassed: check.body.passed };
}
