import Bowser from 'bowser';
import { isbot } from 'isbot';
import type { Device, DeviceType, OperatingSystem } from './link.ts';

/** The result of parsing a `User-Agent` header. */
export interface Agent extends Device {
  /** A link preview, a crawler or a script. */
  readonly isAutomatic: boolean;
}

/** Browsers send shorter headers; the rest is cut off. */
const MAX_LENGTH = 1_000;
const MAX_REMEMBERED = 5_000;

/**
 * Caches parsed headers: most visitors use the same few browsers, and parsing costs as much as the rest of a redirect.
 */
const remembered = new Map<string, Agent>();

export function readUserAgent(header: string | undefined): Agent {
  const text = header?.slice(0, MAX_LENGTH) ?? '';
  let agent = remembered.get(text);
  if (agent === undefined) {
    agent = parse(text);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(text, agent);
  }
  return agent;
}

function parse(text: string): Agent {
  if (text.trim() === '' || isbot(text)) return { isAutomatic: true, deviceType: undefined, os: undefined };
  const { platform, os } = Bowser.parse(text);
  return { isAutomatic: false, deviceType: DEVICE_TYPE_OF.get(platform.type ?? ''), os: SYSTEM_OF.get(os.name ?? '') };
}

const DEVICE_TYPE_OF: ReadonlyMap<string, DeviceType> = new Map([
  ['mobile', 'smartphone'],
  ['tablet', 'tablet'],
  ['desktop', 'desktop'],
]);

const SYSTEM_OF: ReadonlyMap<string, OperatingSystem> = new Map([
  ['Android', 'Android'],
  ['iOS', 'iOS'],
  ['iPadOS', 'iOS'],
  ['Windows', 'Windows'],
  ['macOS', 'macOS'],
]);

const MOBILE: ReadonlyMap<string, OperatingSystem> = new Map([
  ['android', 'Android'],
  ['android_x', 'Android'],
  ['ios', 'iOS'],
]);
const DESKTOP: ReadonlyMap<string, OperatingSystem> = new Map([
  ['macos', 'macOS'],
  ['unigram', 'Windows'],
]);

/**
 * Returns the device behind a Mini App. Telegram's launch parameters name the app. The browser's header adds whether a
 * mobile app runs on a tablet, and on which system the desktop app and the web versions run.
 */
export function deviceOnPlatform(platform: string | undefined, browser: Device): Device {
  const name = platform?.toLowerCase() ?? '';
  const mobile = MOBILE.get(name);
  if (mobile !== undefined) {
    // An iPad's browser claims to be a Mac, and a phone's never does. So `ios` together with macOS means an iPad.
    const isTablet = browser.deviceType === 'tablet' || (mobile === 'iOS' && browser.os === 'macOS');
    return { deviceType: isTablet ? 'tablet' : 'smartphone', os: mobile };
  }
  const desktop = DESKTOP.get(name);
  if (desktop !== undefined) return { deviceType: 'desktop', os: desktop };
  if (name === 'tdesktop') {
    return { deviceType: 'desktop', os: browser.deviceType === 'desktop' ? browser.os : undefined };
  }
  return { deviceType: browser.deviceType, os: browser.os };
}
