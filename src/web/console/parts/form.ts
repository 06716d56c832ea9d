import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../../core/html.ts';
import type { Visit } from '../visit.ts';
import { NOTHING, when } from './pieces.ts';

export interface FormSpec {
  /** Where it is posted to. */
  readonly action: string;
  readonly fields?: Html;
  readonly submit: string;
  readonly look?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Moves money or makes something: sent twice, it is done once. */
  readonly isOnceOnly?: boolean;
  /** Only a button, in a row with others. */
  readonly isInline?: boolean;
  /** Beside the button. */
  readonly extra?: Html;
  readonly label?: string;
}

/** A form of this session: it carries the session's token, without which nothing is done. */
export function form(visit: Visit, spec: FormSpec): Html {
  const { action, fields = NOTHING, submit, look = 'primary', isInline = false } = spec;
  return html`<form method="post" action="${action}" class="${isInline ? 'inline-form' : 'form'}">${hidden('csrf', visit.csrf)}${when(spec.isOnceOnly === true, () => hidden('key', randomUUID()))}${fields}<div class="form-end"><button type="submit" class="${look}"${spec.label === undefined ? NOTHING : html` aria-label="${spec.label}"`}>${submit}</button>${spec.extra ?? NOTHING}</div></form>`;
}

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly value?: string;
}

function fieldAround({ name, label, hint, error }: FieldSpec, control: (described: Html) => Html): Html {
  const id = `f-${name}`;
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  const described = notes.length === 0 ? NOTHING : html` aria-describedby="${notes.join(' ')}"`;
  return html`<div class="field${when(error !== undefined, () => html` wrong`)}"><label for="${id}">${label}</label>${control(html`${described}${when(error !== undefined, () => html` aria-invalid="true"`)}`)}${hint === undefined ? NOTHING : html`<p class="hint" id="${id}-hint">${hint}</p>`}${error === undefined ? NOTHING : html`<p class="error" id="${id}-error">${error}</p>`}</div>`;
}

export function textField(
  spec: FieldSpec & {
    readonly type?: 'text' | 'number' | 'url' | 'datetime-local';
    readonly min?: number;
    readonly max?: number;
    readonly maxLength?: number;
    readonly isRequired?: boolean;
    readonly inputMode?: 'decimal' | 'numeric';
    readonly placeholder?: string;
    readonly width?: 'short';
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
    when(spec.isRequired === true, () => html` required`),
  ];
  return fieldAround(
    spec,
    (described) =>
      html`<input id="f-${name}" name="${name}" type="${type}" value="${value}" autocomplete="off"${attributes}${described}>`,
  );
}

const attribute = (name: string, value: string | number | undefined): Html =>
  value === undefined ? NOTHING : html` ${name}="${value}"`;

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function selectField(spec: FieldSpec & { readonly choices: readonly Choice[] }): Html {
  const options = spec.choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${when(value === (spec.value ?? ''), () => html` selected`)}>${label}</option>`,
  );
  return fieldAround(
    spec,
    (described) => html`<select id="f-${spec.name}" name="${spec.name}"${described}>${options}</select>`,
  );
}

/** Several of a set: boxes in a group with a name. */
export function boxes(
  spec: Omit<FieldSpec, 'value'> & { choices: readonly Choice[]; chosen: ReadonlySet<string> },
): Html {
  const { name, label, hint, error, choices, chosen } = spec;
  const items = choices.map((choice) => box(name, choice, chosen.has(choice.value)));
  return html`<fieldset class="field${when(error !== undefined, () => html` wrong`)}"><legend>${label}</legend><div class="boxes">${items}</div>${hint === undefined ? NOTHING : html`<p class="hint">${hint}</p>`}${error === undefined ? NOTHING : html`<p class="error">${error}</p>`}</fieldset>`;
}

export const box = (name: string, { value, label }: Choice, isChecked: boolean): Html =>
  html`<label class="box"><input type="checkbox" name="${name}" value="${value}"${when(isChecked, () => html` checked`)}><span>${label}</span></label>`;
