import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import {
  changeFilters,
  changeOwnOrder,
  isClosed,
  type OrderState,
  readOwnOrder,
} from '../../../modules/orders/index.ts';
import {
  coefficientsOf,
  FILTER_CATEGORIES,
  FILTERS,
  type FilterCategory,
  type FilterKey,
  type Filters,
  type UnknownCharge,
} from '../../../modules/targeting/index.ts';
import { estimateAudience } from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { checkboxes, hidden, selectField, textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, readId, type Visit } from '../visit.ts';
import { describeKnowledge } from './describe-filters.ts';
import { FILTER_FIELDS, fillForm, isChosenFromList, readFilters } from './filter-form.ts';
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
  readonly wrong?: ReadonlySet<FilterKey>;
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
    { form = fillForm(state.order.filters), wrong = new Set(), status = 200 }: FilledForm = {},
  ): Promise<Page> {
    const { order } = state;
    const words = visit.texts.filters;
    const { names, noCityData } = visit.shared.filters;
    if (isClosed(order.status)) throw new ApiError('wrong_status', words.closed);
    const figures = await estimate(visit, state, readFilters(form).filters);
    const wrongNames = [...wrong].map((key) => names[key]).join(', ');
    return {
      title: words.title,
      crumbs: orderCrumbs(visit, order),
      status,
      body: html`${wrong.size > 0 && html`<p class="flash bad" role="alert">${words.wrong(wrongNames)}</p>`}<p class="note">${words.note}</p>${!deps.hasCityData && html`<p class="note">${noCityData}</p>`}
        <form method="post" action="${visit.path}" class="filters" data-estimate="${`${pathOf(order)}/filters/estimate`}">${hidden('csrf', visit.csrf)}
        <div class="filter-groups">${FILTER_CATEGORIES.map((category) => categoryFields(visit, category, form, wrong))}</div>
        ${estimatePanel(visit, state, figures, deps.unknownCharge)}</form>`,
    };
  }

  async function estimate(
    visit: Visit,
    { order, progress, escrowKopecks }: OrderState,
    filters: Filters,
  ): Promise<Estimate> {
    const { formats, texts } = visit;
    const found = await estimateAudience(deps, { filters, priceKopecks: order.priceKopecks });
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

/** The fields of one of the six groups of filters. */
function categoryFields(
  visit: Visit,
  category: FilterCategory,
  form: URLSearchParams,
  wrong: ReadonlySet<FilterKey>,
): Html {
  const fields = FILTERS.filter((filter) => filter.category === category).map(({ key, ...filter }) =>
    control(visit, key, {
      form,
      isWrong: wrong.has(key),
      coefficient: 'coefficientPercent' in filter ? filter.coefficientPercent : undefined,
    }),
  );
  return html`<fieldset class="panel filter-group"><legend>${visit.shared.filters.categories[category]}</legend>${fields}</fieldset>`;
}

function control(
  { texts, shared, formats }: Visit,
  key: FilterKey,
  { form, isWrong, coefficient }: { form: URLSearchParams; isWrong: boolean; coefficient: number | undefined },
): Html {
  const words = texts.filters;
  const { names, values, yes, no } = shared.filters;
  const field = FILTER_FIELDS[key];
  const label = `${names[key]}${coefficient === undefined ? '' : ` (${formats.factor(coefficient)})`}`;
  const spec = {
    name: key,
    label,
    hint: (words.hints as Readonly<Partial<Record<FilterKey, string>>>)[key],
    error: isWrong ? words.wrong(names[key]) : undefined,
    value: form.get(key) ?? '',
  };
  const named = (value: string) => ({ value, label: (values as Readonly<Record<string, string>>)[value] ?? value });
  const choose = (choices: readonly { value: string; label: string }[]) =>
    selectField({ ...spec, choices: [{ value: '', label: shared.filters.any }, ...choices] });
  switch (field.kind) {
    case 'list':
      return textField({ ...spec, maxLength: 2_000 });
    case 'range': {
      const bound = (name: string) =>
        ({ name, type: 'number', min: field.min, max: field.max, value: form.get(name) ?? '' }) as const;
      return html`<fieldset class="field pair"><legend>${label}</legend>${textField({ ...bound(`${key}_min`), label: words.from, error: spec.error })}${textField({ ...bound(`${key}_max`), label: words.to })}</fieldset>`;
    }
    case 'one':
      return choose(field.values.map(named));
    case 'many':
      return checkboxes({ ...spec, choices: field.values.map(named), chosen: new Set(form.getAll(key)) });
    case 'flag':
      return choose([
        { value: 'yes', label: yes },
        { value: 'no', label: no },
      ]);
    case 'least':
    case 'most':
      if (!isChosenFromList(field)) return textField({ ...spec, type: 'number', min: field.min, max: field.max });
      return choose(numbers(field).map((number) => ({ value: number, label: number })));
  }
}

const numbers = ({ min, max }: { readonly min: number; readonly max: number }): string[] =>
  Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
