import type { Device, OperatingSystem } from './link.ts';

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
