import Bowser from 'bowser';
import { isbot } from 'isbot';
import type { Device, DeviceType, OperatingSystem } from './link.ts';

/** What a `User-Agent` header tells. */
export interface Agent extends Device {
  /** A link preview, a crawler, a script: nobody is looking. */
  readonly isAutomatic: boolean;
}

/** No browser is silent about itself, or longer than this about it. */
const MAX_LENGTH = 1_000;
const MAX_REMEMBERED = 5_000;

/** The same few browsers come again and again, and reading one costs as much as the rest of a redirect. */
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
