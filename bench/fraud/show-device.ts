/** What users of the market show about their devices, through the use cases that the redirect and the Mini App call. */
import { createHash } from 'node:crypto';
import { learnValues } from '../../src/modules/audience/index.ts';
import type { MarketUser } from './market.ts';
import type { World } from './world.ts';

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns a public IPv6 address. The same text gives the same network. */
function addressOf(text: string): string {
  const [a, b, c] = hashOf(text).toString('hex').match(/.{4}/g) ?? [];
  return `2a02:${a}:${b}:${c}::1`;
}

/** Opens a smart link: the service stores the address and learns the country. */
export async function openLink({ db, devices }: World, { id, phone }: MarketUser, time: number): Promise<void> {
  const at = new Date(time);
  devices.seeLinkVisit({ userId: id, address: addressOf(phone.address), hasConsent: true, at });
  await devices.drain();
  await learnValues(db, id, { country: phone.country }, { source: 'smart_link', at });
}

/** The browser of the Android app, and what the page reports about a phone whose user presses the button after a second. */
const BROWSER = { platform: 'android', userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/126.0.0.0 Mobile' };
const REPORTED = {
  screen: { width: 412, height: 915 },
  time_zone: 'Europe/Moscow',
  touch_points: 5,
  is_automated: false,
  pressed_by: 'pointer',
  pressed_after_ms: 1_000,
};

/** Opens the Mini App and passes the human check: the service stores the address, the device and the check. */
export async function passCheck(world: World, { id: userId, phone, check }: MarketUser, time: number): Promise<void> {
  const { db, devices, flow } = world;
  const at = new Date(time);
  const opening = { userId, initHash: hashOf(`${userId}:${time}`), address: addressOf(phone.address), at };
  await world.at(time, async () => {
    await devices.seeOpening(opening);
    await learnValues(db, userId, { country: phone.country }, { source: 'mini_app', at });
    const challenge = await devices.challengeFor(userId, { isVoluntary: check === 'volunteers' });
    if (challenge === undefined) return;
    const device = { ...REPORTED, id: hashOf(phone.device).toString('hex').slice(0, 32) };
    await devices.passCheck({ ...opening, ...BROWSER, challenge, device, hasConsent: true, isAutomatic: false });
    await flow.recordHumanCheck(userId);
  });
}
