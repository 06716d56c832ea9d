import { type Html, html } from '../../../core/html.ts';
import { FILTER_CATEGORIES, FILTERS, type FilterCategory, type FilterKey } from '../../../modules/targeting/index.ts';
import { checkboxes, countryList, selectField, textField } from '../parts/form.ts';
import type { Visit } from '../visit.ts';
import { FILTER_FIELDS, type FilterProblem, isChosenFromList, type ReadFilters } from './filter-form.ts';

/** All filters in their six groups, each with its coefficient and with its error. */
export const filterGroups = (visit: Visit, form: URLSearchParams, wrong: ReadFilters['wrong']): Html =>
  html`<div class="filter-groups">${FILTER_CATEGORIES.map((category) => categoryFields(visit, category, form, wrong))}</div>${countryList(visit)}`;

export function describeProblem({ texts, formats }: Pick<Visit, 'texts' | 'formats'>, problem: FilterProblem): string {
  const { problems } = texts.filters;
  switch (problem.kind) {
    case 'unknown':
      return problems.unknown(problem.word);
    case 'number':
      return problems.number(formats.count(problem.min), formats.count(problem.max));
    case 'bounds':
    case 'choice':
      return problems[problem.kind];
  }
}

/** The fields of one of the six groups of filters. */
function categoryFields(
  visit: Visit,
  category: FilterCategory,
  form: URLSearchParams,
  wrong: ReadFilters['wrong'],
): Html {
  const fields = FILTERS.filter((filter) => filter.category === category).map(({ key, ...filter }) =>
    control(visit, key, {
      form,
      problem: wrong.get(key),
      coefficient: 'coefficientPercent' in filter ? filter.coefficientPercent : undefined,
    }),
  );
  return html`<fieldset class="panel filter-group"><legend>${visit.shared.filters.categories[category]}</legend>${fields}</fieldset>`;
}

function control(
  { texts, shared, formats }: Visit,
  key: FilterKey,
  {
    form,
    problem,
    coefficient,
  }: { form: URLSearchParams; problem: FilterProblem | undefined; coefficient: number | undefined },
): Html {
  const words = texts.filters;
  const { names, values, yes, no } = shared.filters;
  const field = FILTER_FIELDS[key];
  const label = `${names[key]}${coefficient === undefined ? '' : ` (${formats.factor(coefficient)})`}`;
  const spec = {
    name: key,
    label,
    hint: (words.hints as Readonly<Partial<Record<FilterKey, string>>>)[key],
    error: problem && describeProblem({ texts, formats }, problem),
    value: form.get(key) ?? '',
  };
  const named = (value: string) => ({ value, label: (values as Readonly<Record<string, string>>)[value] ?? value });
  const choose = (choices: readonly { value: string; label: string }[]) =>
    selectField({ ...spec, choices: [{ value: '', label: shared.filters.any }, ...choices] });
  switch (field.kind) {
    case 'list':
      return textField({
        ...spec,
        maxLength: 2_000,
        ...(key === 'countries' && { suggestions: 'countries' as const }),
      });
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
