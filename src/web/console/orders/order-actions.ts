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
import { confirmPage } from '../parts/confirm-action.ts';
import { buttons, stepLink } from '../parts/elements.ts';
import { form, textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, readId, refused, type Visit } from '../visit.ts';
import { ORDERS, orderCrumbs, pathOf, readOrderRef } from './order-path.ts';

const QUANTITY = { min: 1, max: 10_000_000 };

/** The actions of an owner on an order: the same use cases as in the API and in the bot. */
export function orderActions(router: ConsoleRouter, deps: ConsoleDeps): void {
  const back = (visit: Visit): string => pathOf({ id: readId(visit) });

  for (const [verb, to] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['cancel', 'cancelled'],
  ] as const) {
    const move = async (visit: Visit) => {
      await moveOwnOrder(deps, readOrderRef(visit), to);
      return done(back(visit), visit.shared.orders.done[to]);
    };
    router.action(`${ORDERS}/:id/${verb}`, move, { back });
  }

  router.page(`${ORDERS}/:id/cancel`, async (visit) => {
    const order = await findOwnOrder(deps.db, readOrderRef(visit));
    const { cancelTitle: title, cancelText: text, cancel: submit } = visit.texts.orders;
    return confirmPage(visit, { title, text, submit, crumbs: orderCrumbs(visit, order) });
  });

  const topUp = async (visit: Visit, sent: URLSearchParams) => {
    const words = visit.texts.orders;
    const quantity = readCount(sent.get('quantity') ?? '', QUANTITY);
    if (quantity === undefined) return refused(back(visit), words.wrongQuantity);
    await topUpOwnOrder(deps, readOrderRef(visit), { quantity, key: `console:top-up:${sent.get('key') ?? ''}` });
    return done(back(visit), words.toppedUp(visit.formats.count(quantity)));
  };
  router.action(`${ORDERS}/:id/top-up`, topUp, { back });

  const changeSource = async (visit: Visit, sent: URLSearchParams) => {
    const botId = readId(visit, 'bot');
    const isExcluded = sent.get('excluded') === 'yes';
    await changeOwnOrder(deps, readOrderRef(visit), (tx, { id }) =>
      excludeSource(tx, { orderId: id, botId, isExcluded }),
    );
    return done(back(visit), isExcluded ? visit.texts.orders.sourceExcluded : visit.texts.orders.sourceIncluded);
  };
  router.action(`${ORDERS}/:id/sources/:bot`, changeSource, { back });
}

/** The buttons for the actions that the status allows. */
export function actionPanels(visit: Visit, { order }: OrderState): Html | undefined {
  if (isClosed(order.status)) return undefined;
  const words = visit.texts.orders;
  const path = pathOf(order);
  const pause = form(visit, { action: `${path}/pause`, submit: words.pause, style: 'plain', isInline: true });
  const resume = form(visit, { action: `${path}/resume`, submit: words.resume, isInline: true });
  const cancel = stepLink(`${path}/cancel`, words.cancel, 'danger');
  const topUp = form(visit, {
    action: `${path}/top-up`,
    fields: textField({
      name: 'quantity',
      label: words.topUpQuantity,
      hint: words.topUpHint(visit.formats.rubles(order.chargeKopecks)),
      type: 'number',
      ...QUANTITY,
      isRequired: true,
      width: 'short',
    }),
    submit: words.topUp,
    isIdempotent: true,
  });
  return html`<div class="stack"><section class="panel"><h2>${words.control}</h2><p class="note">${words.controlNote}</p>${buttons(order.status === 'active' && pause, order.status === 'paused' && resume, cancel)}</section>
    <section class="panel"><h2>${words.topUpTitle}</h2>${topUp}</section></div>`;
}
