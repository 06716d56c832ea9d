import type { Gate } from '../../http/index.ts';
import { linkApiRoutes } from '../../modules/links/api-routes.ts';
import { createSmartLinks, openLocator, type SmartLinks } from '../../modules/links/index.ts';
import { linkRoutes } from '../../modules/links/routes.ts';
import type { OrderBook } from '../../modules/orders/index.ts';
import { miniAppRoutes } from '../../web/mini-app/index.ts';
import type { Area, Base } from './area.ts';

const INIT_DATA_SECONDS = 24 * 60 * 60;
const PERSONAL_LINK_SECONDS = 72 * 60 * 60;

/** Registers smart links: redirects, their API and the Mini App. */
export async function registerLinks(
  { db, clock, secrets, mode, log, publicUrl }: Base,
  { book, gate }: { readonly book: OrderBook; readonly gate: Gate },
): Promise<Area & { readonly links: SmartLinks }> {
  const links = createSmartLinks({
    db,
    clock,
    secrets,
    locator: await openLocator(),
    botToken: mode.botToken,
    initDataSeconds: INIT_DATA_SECONDS,
    personalLinkSeconds: PERSONAL_LINK_SECONDS,
    resolveOrderUrl: async (orderId) => (await book.lookup([orderId])).get(orderId)?.link,
    onError: (err) => log.warn({ err }, 'smart link'),
  });
  return {
    links,
    publicRoutes: [miniAppRoutes(links)],
    tokenRoutes: [linkApiRoutes({ db, clock, publicUrl })],
    unguardedRoutes: [linkRoutes(links, gate)],
  };
}
