import { type Html, html } from '../../../core/html.ts';
import { FILTERS, type FilterCategory, type FilterKey } from '../../../modules/targeting/index.ts';
import { boxes, selectField, textField } from '../parts/form.ts';
import type { Visit } from '../visit.ts';
import { FILTER_FIELDS, isChosen } from './filter-fields.ts';

/** The fields of one of the six groups. */
export function categoryFields(
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
  return html`<fieldset class="panel filter-group"><legend>${visit.texts.filters.categories[category]}</legend>${fields}</fieldset>`;
}

function control(
  { texts, formats }: Visit,
  key: FilterKey,
  { form, isWrong, coefficient }: { form: URLSearchParams; isWrong: boolean; coefficient: number | undefined },
): Html {
  const words = texts.filters;
  const field = FILTER_FIELDS[key];
  const hint = (words.hints as Readonly<Partial<Record<FilterKey, string>>>)[key];
  const label = `${texts.filterNames[key]}${coefficient === undefined ? '' : ` (${formats.factor(coefficient)})`}`;
  const spec = {
    name: key,
    label,
    ...(hint !== undefined && { hint }),
    error: isWrong ? words.wrong(texts.filterNames[key]) : undefined,
  };
  const value = form.get(key) ?? '';
  const named = (one: string): { value: string; label: string } => ({ value: one, label: words.values[one] ?? one });
  const any = { value: '', label: words.any };
  switch (field.kind) {
    case 'list':
      return textField({ ...spec, value, maxLength: 2_000 });
    case 'range':
      return html`<fieldset class="field pair"><legend>${label}</legend>${textField({ name: `${key}_min`, label: words.from, type: 'number', min: field.min, max: field.max, value: form.get(`${key}_min`) ?? '', error: spec.error })}${textField({ name: `${key}_max`, label: words.to, type: 'number', min: field.min, max: field.max, value: form.get(`${key}_max`) ?? '' })}</fieldset>`;
    case 'one':
      return selectField({ ...spec, value, choices: [any, ...field.values.map(named)] });
    case 'many':
      return boxes({ ...spec, choices: field.values.map(named), chosen: new Set(form.getAll(key)) });
    case 'flag':
      return selectField({
        ...spec,
        value,
        choices: [any, { value: 'yes', label: words.yes }, { value: 'no', label: words.no }],
      });
    case 'least':
    case 'most':
      if (!isChosen(field)) return textField({ ...spec, value, type: 'number', min: field.min, max: field.max });
      return selectField({
        ...spec,
        value,
        choices: [any, ...numbers(field).map((one) => ({ value: one, label: one }))],
      });
  }
}

const numbers = ({ min, max }: { readonly min: number; readonly max: number }): string[] =>
  Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
