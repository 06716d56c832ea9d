import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import {
  changeFilters,
  changeOwnOrder,
  isClosed,
  type OrderState,
  readOwnOrder,
} from '../../../modules/orders/index.ts';
import { coefficientsOf, type Filters, type UnknownCharge } from '../../../modules/targeting/index.ts';
import { estimateAudience } from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { hidden } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, readId, type Visit } from '../visit.ts';
import { describeKnowledge } from './describe-filters.ts';
import { describeProblem, filterGroups } from './filter-controls.ts';
import { fillForm, type ReadFilters, readFilters } from './filter-form.ts';
import { ORDERS, orderCrumbs, pathOf, readOrderRef } from './order-path.ts';

/** The effect of the filters in the form, as texts that the page's script inserts. */
interface Estimate {
  readonly price: string;
  readonly factor: string;
  readonly audience: string;
  readonly left: string;
  readonly known: string;
}

interface FilledForm {
  readonly form?: URLSearchParams;
  readonly wrong?: ReadFilters['wrong'];
  readonly status?: number;
}

/** All filters of an order with their coefficients, and an estimate of price and audience. */
export function filtersPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;
  const path = `${ORDERS}/:id/filters`;

  router.page(path, async (visit) => show(visit, await readOwnOrder(db, readOrderRef(visit))));

  router.action(
    path,
    async (visit, sent) => {
      const state = await readOwnOrder(db, readOrderRef(visit));
      const { filters, wrong } = readFilters(sent);
      if (wrong.size > 0) return show(visit, state, { form: sent, wrong, status: 422 });
      // Browsers without scripts get the same form again with the new figures.
      if (sent.has('recalculate')) return show(visit, state, { form: sent });
      await changeOwnOrder(deps, readOrderRef(visit), (tx, { id }) => changeFilters(tx, { orderId: id, filters }));
      const { saved } = visit.texts.filters;
      return done(visit.isInApp ? `${pathOf(state.order)}/filters` : pathOf(state.order), saved);
    },
    { back: (visit) => `${pathOf({ id: readId(visit) })}/filters` },
  );

  router.json(`${path}/estimate`, async (visit, sent) => {
    const state = await readOwnOrder(db, readOrderRef(visit));
    return { ...(await estimate(visit, state, readFilters(sent).filters)) };
  });

  async function show(
    visit: Visit,
    state: OrderState,
    { form = fillForm(state.order.filters, visit.language), wrong = new Map(), status = 200 }: FilledForm = {},
  ): Promise<Page> {
    const { order } = state;
    const words = visit.texts.filters;
    const { names, noCityData } = visit.shared.filters;
    if (isClosed(order.status)) throw new ApiError('wrong_status', words.closed);
    const figures = await estimate(visit, state, readFilters(form).filters);
    const problems = [...wrong].map(
      ([key, problem]) => html`<li>${names[key]}: ${describeProblem(visit, problem)}</li>`,
    );
    return {
      title: words.title,
      crumbs: orderCrumbs(visit, order),
      status,
      body: html`${wrong.size > 0 && html`<div class="flash bad" role="alert"><p>${words.problemsTitle}</p><ul>${problems}</ul></div>`}<p class="note">${words.note}</p>${!deps.hasCityData && html`<p class="note">${noCityData}</p>`}
        <form method="post" action="${visit.path}" class="filters" data-estimate="${`${pathOf(order)}/filters/estimate`}">${hidden('csrf', visit.csrf)}
        ${filterGroups(visit, form, wrong)}
        ${estimatePanel(visit, state, figures, deps.unknownCharge)}</form>`,
    };
  }

  async function estimate(
    visit: Visit,
    { order, progress, escrowKopecks }: OrderState,
    filters: Filters,
  ): Promise<Estimate> {
    const { formats, texts } = visit;
    const found = await estimateAudience(
      { db: deps.reports, clock: deps.clock },
      { filters, priceKopecks: order.priceKopecks },
    );
    const audience = texts.filters.audienceOf(formats.count(found.matchingUsers), formats.count(found.knownUsers));
    const percent = coefficientsOf(filters).reduce((product, one) => (product * one.percent) / 100, 100);
    const affordable = Number((escrowKopecks - progress.reservedKopecks) / found.chargeKopecks);
    const slots = order.quantity - progress.countedCount - progress.reservedCount;
    return {
      price: formats.rubles(found.chargeKopecks),
      factor: formats.factor(percent),
      audience: found.isExact ? audience : texts.filters.approximately(audience),
      left: formats.count(Math.max(0, Math.min(affordable, slots))),
      known: describeKnowledge(visit, found.knowledge),
    };
  }
}

function estimatePanel(visit: Visit, { order }: OrderState, figures: Estimate, unknownCharge: UnknownCharge): Html {
  const words = visit.texts.filters;
  const item = (name: keyof Estimate, label: string, note: string): Html =>
    html`<div class="tile"><dt>${label}</dt><dd><strong data-figure="${name}">${figures[name]}</strong><small>${note}</small></dd></div>`;
  return html`<section class="panel estimate" aria-labelledby="estimate-title"><h2 id="estimate-title">${words.estimate}</h2>
    <dl id="estimate" class="tiles" aria-live="polite">
    ${item('price', words.price, words.basePrice(visit.formats.rubles(order.priceKopecks)))}${item('factor', words.factor, '')}${item('audience', words.audience, words.audienceNote)}${item('left', words.left, words.leftNote)}${item('known', words.known, unknownCharge === 'base' ? words.unknownBase : words.unknownFull)}</dl>
    <div class="buttons"><button type="submit" class="primary">${words.save}</button><button type="submit" name="recalculate" value="yes" class="no-script">${words.recalculate}</button></div></section>`;
}
