import type { Postback } from '../../modules/orders/index.ts';
import { orderRoutes } from '../../modules/orders/routes.ts';
import { postbackSecret } from '../../modules/tasks/index.ts';
import { POSTBACK_PATH } from '../../modules/tasks/settle/postback-routes.ts';
import type { Area, Base } from './area.ts';
import type { Telegram } from './telegram.ts';

/** Registers the API of advertisers. */
export function registerOrders(
  { config, db, clock, secrets, publicUrl }: Base,
  { resolver }: Telegram,
): Area & { readonly postbackOf: (orderId: number) => Postback } {
  const postbackOf = (orderId: number): Postback => ({
    url: `${publicUrl()}${POSTBACK_PATH}`,
    secret: postbackSecret(secrets, orderId),
  });
  const { publisherSharePercent, moderatesOrders: isModerated } = config;
  const deps = { db, clock, secrets, resolver, publisherSharePercent, isModerated, postbackOf };
  return { postbackOf, tokenRoutes: [orderRoutes(deps)] };
}
