import type { FieldError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import type { Language } from '../../../core/locale.ts';
import { countryName, readCountry } from '../../../core/place-names.ts';
import {
  DEVICE_TYPES,
  type Link,
  type LinkInput,
  type LinkRule,
  OPERATING_SYSTEMS,
} from '../../../modules/links/index.ts';
import { checkboxes, countryList, form, textField } from '../parts/form.ts';
import type { Visit } from '../visit.ts';
import { pathOf } from './link-path.ts';

/** The form ends with empty rules for new ones. */
const SPARE_RULES = 1;
const MAX_RULES = 50;

/** The content of a link's form, valid or not. */
export interface LinkDraft {
  readonly url: string;
  readonly name: string;
  readonly rules: readonly RuleDraft[];
}

interface RuleDraft {
  readonly countries: string;
  readonly cities: string;
  readonly devices: readonly string[];
  readonly os: readonly string[];
  readonly url: string;
}

const EMPTY_RULE: RuleDraft = { countries: '', cities: '', devices: [], os: [], url: '' };

const draftOf = ({ url, name, rules }: Link, language: Language): LinkDraft => ({
  url,
  name,
  rules: rules.map((rule) => ({
    countries: rule.countries?.map((code) => countryName(code, language)).join(', ') ?? '',
    cities: rule.cities?.join(', ') ?? '',
    devices: rule.device_types ?? [],
    os: rule.os ?? [],
    url: rule.url,
  })),
});

/** Returns the form with its rules in the order of their positions. Rules with empty fields are removed. */
export function readDraft(sent: URLSearchParams): LinkDraft {
  const text = (name: string): string => sent.get(name)?.trim() ?? '';
  const rules = Array.from({ length: MAX_RULES + SPARE_RULES }, (_, index) => ({
    position: Number(text(`rule_${index}_position`)) || index + 1,
    countries: text(`rule_${index}_countries`),
    cities: text(`rule_${index}_cities`),
    devices: sent.getAll(`rule_${index}_devices`),
    os: sent.getAll(`rule_${index}_os`),
    url: text(`rule_${index}_url`),
  }));
  return {
    url: text('url'),
    name: text('name'),
    rules: rules.filter((rule) => !isEmpty(rule)).sort((a, b) => a.position - b.position),
  };
}

const isEmpty = ({ countries, cities, devices, os, url }: RuleDraft): boolean =>
  countries === '' && cities === '' && devices.length === 0 && os.length === 0 && url === '';

const words = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Returns the input of the use case; conditions without a value are left out. */
export function inputOf({ url, name, rules }: LinkDraft): Required<LinkInput> {
  return {
    url,
    name,
    rules: rules.map((rule): LinkRule => {
      // The use case refuses a name that is no country.
      const countries = words(rule.countries).map((word) => readCountry(word) ?? word);
      const cities = words(rule.cities);
      const devices = DEVICE_TYPES.filter((type) => rule.devices.includes(type));
      const systems = OPERATING_SYSTEMS.filter((os) => rule.os.includes(os));
      return {
        ...(countries.length > 0 && { countries }),
        ...(cities.length > 0 && { cities }),
        ...(devices.length > 0 && { device_types: devices }),
        ...(systems.length > 0 && { os: systems }),
        url: rule.url,
      };
    }),
  };
}

export function linkForm(
  visit: Visit,
  link: Link,
  draft: LinkDraft = draftOf(link, visit.language),
  errors: readonly FieldError[] = [],
): Html {
  const texts = visit.texts.links;
  const wrong = (field: string): string | undefined =>
    errors.some((error) => error.field === field) ? (texts.wrong[lastOf(field)] ?? texts.wrongUrl) : undefined;
  const shown = [...draft.rules, ...(draft.rules.length < MAX_RULES ? [EMPTY_RULE] : [])];
  const fields = html`${textField({ name: 'url', label: texts.target, hint: texts.targetHint, value: draft.url, maxLength: 2_048, isRequired: true, error: wrong('url') })}${textField({ name: 'name', label: texts.name, hint: texts.nameHint, value: draft.name, maxLength: 200, error: wrong('name') })}<div class="rules"><h3>${texts.rulesTitle}</h3><p class="note">${texts.rulesNote}</p>${shown.map((rule, index) => ruleFields(visit, rule, index, index >= draft.rules.length, wrong))}</div>`;
  return html`<section class="panel wide-form"><h2>${texts.editTitle}</h2>${form(visit, { action: pathOf(link), fields, submit: visit.texts.common.save })}${countryList(visit)}</section>`;
}

const lastOf = (field: string): string => field.split('.').at(-1) ?? '';

function ruleFields(
  visit: Visit,
  rule: RuleDraft,
  index: number,
  isNew: boolean,
  wrong: (field: string) => string | undefined,
): Html {
  const texts = visit.texts.links;
  const { values } = visit.shared.filters;
  const name = (field: string): string => `rule_${index}_${field}`;
  const error = (field: string): string | undefined => wrong(`geo.${index}.${field}`);
  const body = html`<div class="rule-grid">${textField({ name: name('url'), label: texts.ruleTarget, value: rule.url, maxLength: 2_048, error: error('url') })}${textField({ name: name('countries'), label: texts.countries, hint: texts.countriesHint, value: rule.countries, maxLength: 1_000, error: error('countries'), suggestions: 'countries' })}${textField({ name: name('cities'), label: texts.cities, hint: texts.citiesHint, value: rule.cities, maxLength: 2_000, error: error('cities') })}${!isNew && textField({ name: name('position'), label: texts.position, type: 'number', min: 1, max: MAX_RULES, value: String(index + 1), width: 'short' })}${checkboxes({ name: name('devices'), label: texts.devices, choices: DEVICE_TYPES.map((type) => ({ value: type, label: values[type] })), chosen: new Set(rule.devices), error: error('device_types') })}${checkboxes({ name: name('os'), label: texts.os, choices: OPERATING_SYSTEMS.map((os) => ({ value: os, label: os })), chosen: new Set(rule.os), error: error('os') })}</div>`;
  return html`<fieldset class="rule"><legend>${isNew ? texts.newRule : texts.ruleNumber(index + 1)}</legend>${body}</fieldset>`;
}
