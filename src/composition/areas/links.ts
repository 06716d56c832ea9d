import type { Gate } from '../../http/index.ts';
import type { Devices } from '../../modules/devices/index.ts';
import { linkApiRoutes } from '../../modules/links/api-routes.ts';
import { createSmartLinks, openLocator, type SmartLinks } from '../../modules/links/index.ts';
import { linkRoutes } from '../../modules/links/routes.ts';
import type { OrderBook } from '../../modules/orders/index.ts';
import type { Area, Base } from './area.ts';
import { INIT_DATA_SECONDS } from './devices.ts';

const PERSONAL_LINK_SECONDS = 72 * 60 * 60;

/** Registers smart links: redirects and their API. */
export async function registerLinks(
  { db, clock, secrets, mode, log, publicUrl }: Base,
  { book, devices, gate }: { readonly book: OrderBook; readonly devices: Devices; readonly gate: Gate },
): Promise<Area & { readonly links: SmartLinks }> {
  const links = createSmartLinks({
    db,
    clock,
    secrets,
    locator: await openLocator(),
    devices,
    botToken: mode.botToken,
    initDataSeconds: INIT_DATA_SECONDS,
    personalLinkSeconds: PERSONAL_LINK_SECONDS,
    resolveOrderUrl: async (orderId) => (await book.lookup([orderId])).get(orderId)?.link,
    onError: (err) => log.warn({ err }, 'smart link'),
  });
  return {
    links,
    tokenRoutes: [linkApiRoutes({ db, clock, publicUrl })],
    unguardedRoutes: [linkRoutes(links, gate)],
  };
}
