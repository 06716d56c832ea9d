import { type Html, html } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import {
  changeOwnOrder,
  excludeSource,
  findOwnOrder,
  isClosed,
  moveOwnOrder,
  type OrderState,
  topUpOwnOrder,
} from '../../../modules/orders/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm.ts';
import { form, textField } from '../parts/form.ts';
import { NOTHING } from '../parts/pieces.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, idIn, refused, type Visit } from '../visit.ts';
import { ORDERS, orderCrumbs, pathOf, refIn } from './order-path.ts';

const QUANTITY = { min: 1, max: 10_000_000 };

/** What an owner does to an order: the same use cases as the API's and the bot's. */
export function orderActions(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;
  const back = (visit: Visit): string => pathOf({ id: idIn(visit) });
  const options = { back, isForApp: true };

  for (const [verb, to] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['cancel', 'cancelled'],
  ] as const) {
    router.action(
      `${ORDERS}/:id/${verb}`,
      async (visit) => {
        await moveOwnOrder(deps, refIn(visit), to);
        return done(back(visit), visit.texts.orders.moved[to]);
      },
      options,
    );
  }

  router.page(
    `${ORDERS}/:id/cancel`,
    async (visit) => {
      const order = await findOwnOrder(db, refIn(visit));
      const words = visit.texts.orders;
      return confirmPage(visit, {
        title: words.cancelTitle,
        section: ORDERS,
        crumbs: orderCrumbs(visit, order),
        text: words.cancelText,
        action: `${pathOf(order)}/cancel`,
        submit: words.cancel,
        back: pathOf(order),
      });
    },
    { isForApp: true },
  );

  router.action(
    `${ORDERS}/:id/top-up`,
    async (visit, sent) => {
      const words = visit.texts.orders;
      const quantity = readCount(sent.get('quantity') ?? '', QUANTITY);
      if (quantity === undefined) return refused(back(visit), words.wrongQuantity);
      await topUpOwnOrder(deps, refIn(visit), { quantity, key: `console:top-up:${sent.get('key') ?? ''}` });
      return done(back(visit), words.toppedUp(visit.formats.count(quantity)));
    },
    options,
  );

  router.action(
    `${ORDERS}/:id/sources/:bot`,
    async (visit, sent) => {
      const botId = idIn(visit, 'bot');
      const isExcluded = sent.get('excluded') === 'yes';
      await changeOwnOrder(deps, refIn(visit), (tx, { id }) => excludeSource(tx, { orderId: id, botId, isExcluded }));
      return done(back(visit), isExcluded ? visit.texts.orders.sourceExcluded : visit.texts.orders.sourceIncluded);
    },
    options,
  );
}

/** The buttons that its status allows. */
export function actionPanels(visit: Visit, { order }: OrderState): Html {
  if (isClosed(order.status)) return NOTHING;
  const { texts, formats } = visit;
  const words = texts.orders;
  const path = pathOf(order);
  const move =
    order.status === 'active'
      ? form(visit, { action: `${path}/pause`, submit: words.pause, look: 'plain', isInline: true })
      : order.status === 'paused'
        ? form(visit, { action: `${path}/resume`, submit: words.resume, isInline: true })
        : NOTHING;
  const topUp = form(visit, {
    action: `${path}/top-up`,
    fields: textField({
      name: 'quantity',
      label: words.topUpQuantity,
      hint: words.topUpHint(formats.rubles(order.chargeKopecks)),
      type: 'number',
      ...QUANTITY,
      isRequired: true,
      width: 'short',
    }),
    submit: words.topUp,
    isOnceOnly: true,
  });
  return html`<div class="stack"><section class="panel"><h2>${words.control}</h2><p class="note">${words.controlNote}</p><div class="buttons">${move}<a class="button danger-link" href="${`${path}/cancel`}">${words.cancel}…</a></div></section>
    <section class="panel"><h2>${words.topUpTitle}</h2>${topUp}</section></div>`;
}
