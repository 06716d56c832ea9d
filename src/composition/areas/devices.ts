import { createDevices, type Devices } from '../../modules/devices/index.ts';
import type { SmartLinks } from '../../modules/links/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';
import { miniAppRoutes } from '../../web/mini-app/index.ts';
import type { Area, Base } from './area.ts';

/** How long the Mini App accepts init data. */
export const INIT_DATA_SECONDS = 24 * 60 * 60;

/** Creates the device marks and the human check of this process. */
export function openDevices({ config, db, clock, secrets, metrics, log }: Base): Devices {
  return createDevices({
    db,
    clock,
    secrets,
    storesMarks: config.storesDeviceMarks,
    checkStrength: config.humanCheck?.strength,
    initDataSeconds: INIT_DATA_SECONDS,
    onIgnored: metrics.deviceDataIgnored,
    onError: (err) => log.warn({ err }, 'device mark not stored'),
  });
}

/** Registers the Mini App. */
export function registerMiniApp(
  { mode }: Base,
  { links, flow }: { readonly links: SmartLinks; readonly flow: TaskFlow },
): Area {
  const options = { onPassed: flow.recordHumanCheck, allowsOwnFrame: mode.sandbox !== undefined };
  return { publicRoutes: [miniAppRoutes(links, options)] };
}
