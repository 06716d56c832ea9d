import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../../core/html.ts';
import { listCountries } from '../../../core/place-names.ts';
import type { Visit } from '../visit.ts';

export interface FormSpec {
  readonly action: string;
  readonly fields?: Html | undefined;
  readonly submit: string;
  readonly style?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Adds a key, so that a form sent twice moves money or creates something once. */
  readonly isIdempotent?: boolean;
  /** Shows only the button, in a row with others. */
  readonly isInline?: boolean;
  /** Shown beside the button. */
  readonly extra?: Html;
  /** Names the button for screen readers. */
  readonly label?: string;
}

/** A form that carries the token of the session; the server refuses forms without it. */
export function form(visit: Visit, spec: FormSpec): Html {
  const { action, fields, submit, style = 'primary', isInline = false, isIdempotent = false } = spec;
  return html`<form method="post" action="${action}" class="${isInline ? 'inline-form' : 'form'}">${hidden('csrf', visit.csrf)}${isIdempotent && hidden('key', randomUUID())}${fields}<div class="form-end"><button type="submit" class="${style}"${attribute('aria-label', spec.label)}>${submit}</button>${spec.extra}</div></form>`;
}

/** A form with one small button, in a row of a table. `subject` names the row for screen readers. */
export const rowButton = (
  visit: Visit,
  { subject, ...spec }: Pick<FormSpec, 'action' | 'fields' | 'submit'> & { readonly subject: string },
): Html => form(visit, { ...spec, label: `${spec.submit}: ${subject}`, style: 'quiet', isInline: true });

/** A form whose fields become the query of a page, for searches and filters. */
export const queryForm = (spec: {
  action: string;
  fields: Html;
  submit: string;
  role?: string;
  style?: string;
}): Html =>
  html`<form method="get" action="${spec.action}" class="form"${attribute('role', spec.role)}>${spec.fields}<div class="form-end"><button type="submit" class="${spec.style ?? 'primary'}">${spec.submit}</button></div></form>`;

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** Hidden fields for the entries of an object. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => hidden(name, value))}`;

export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly value?: string;
}

/** Puts label, hint and error around a control; screen readers announce hint and error with it. */
function labelled({ name, label, hint, error }: FieldSpec, control: (described: Html) => Html): Html {
  const id = `f-${name}`;
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const described = html`${notes !== '' && html` aria-describedby="${notes}"`}${error !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field${error !== undefined && ' wrong'}"><label for="${id}">${label}</label>${control(described)}${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}${error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`}</div>`;
}

export function textField(
  spec: FieldSpec & {
    readonly type?: 'text' | 'number' | 'url' | 'datetime-local' | 'date' | 'password';
    readonly min?: number;
    readonly max?: number;
    readonly maxLength?: number;
    readonly isRequired?: boolean;
    readonly inputMode?: 'decimal' | 'numeric';
    readonly placeholder?: string;
    readonly width?: 'short';
    /** Names a list from which scripts let the visitor search and choose several values. */
    readonly suggestions?: 'countries';
  },
): Html {
  const { name, value = '', type = 'text' } = spec;
  const attributes = [
    attribute('min', spec.min),
    attribute('max', spec.max),
    attribute('maxlength', spec.maxLength),
    attribute('inputmode', spec.inputMode),
    attribute('placeholder', spec.placeholder),
    attribute('class', spec.width),
    attribute('data-suggestions', spec.suggestions),
    html`${spec.isRequired === true && ' required'}`,
  ];
  return labelled(
    spec,
    (described) =>
      html`<input id="f-${name}" name="${name}" type="${type}" value="${value}" autocomplete="off"${attributes}${described}>`,
  );
}

/** A field for a text of several lines. */
export function textArea(spec: FieldSpec & { readonly maxLength: number }): Html {
  const { name, value = '', maxLength } = spec;
  return labelled(
    spec,
    (described) =>
      html`<textarea id="f-${name}" name="${name}" rows="6" maxlength="${maxLength}" required${described}>${value}</textarea>`,
  );
}

const attribute = (name: string, value: string | number | undefined): Html =>
  html`${value !== undefined && html` ${name}="${value}"`}`;

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function selectField(spec: FieldSpec & { readonly choices: readonly Choice[] }): Html {
  const options = spec.choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === (spec.value ?? '') && ' selected'}>${label}</option>`,
  );
  return labelled(
    spec,
    (described) => html`<select id="f-${spec.name}" name="${spec.name}"${described}>${options}</select>`,
  );
}

/** The countries in the visitor's language, for the fields with `suggestions`. */
export const countryList = ({ language, texts }: Pick<Visit, 'language' | 'texts'>): Html =>
  html`<datalist id="countries" data-search="${texts.common.searchCountry}" data-remove="${texts.common.remove}">${listCountries(language).map(({ code, name }) => html`<option value="${name}" label="${code}"></option>`)}</datalist>`;

/** Choices of which one is selected. */
export function radios(spec: FieldSpec & { readonly choices: readonly (Choice & { readonly note: string })[] }): Html {
  const items = spec.choices.map(
    ({ value, label, note }) =>
      html`<label class="choice"><input type="radio" name="${spec.name}" value="${value}"${value === spec.value && ' checked'}><span>${label}<small>${note}</small></span></label>`,
  );
  return html`<fieldset class="field"><legend>${spec.label}</legend><div class="choice-cards">${items}</div></fieldset>`;
}

/** A group of check boxes for a choice of several values. */
export function checkboxes(
  spec: Omit<FieldSpec, 'value'> & { choices: readonly Choice[]; chosen: ReadonlySet<string> },
): Html {
  const { name, label, hint, error, choices, chosen } = spec;
  const items = choices.map((choice) => checkbox(name, choice, chosen.has(choice.value)));
  return html`<fieldset class="field${error !== undefined && ' wrong'}"><legend>${label}</legend><div class="boxes">${items}</div>${hint !== undefined && html`<p class="hint">${hint}</p>`}${error !== undefined && html`<p class="error">${error}</p>`}</fieldset>`;
}

export const checkbox = (name: string, { value, label }: Choice, isChecked: boolean): Html =>
  html`<label class="box"><input type="checkbox" name="${name}" value="${value}"${isChecked && ' checked'}><span>${label}</span></label>`;
