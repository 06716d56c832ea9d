import { type Html, html } from '../../../core/html.ts';
import { form, textField } from '../parts/form.ts';
import { panel } from '../parts/pieces.ts';
import type { Visit } from '../visit.ts';
import { MAX_WORDS } from './ask-words.ts';
import { ACCOUNTS } from './operator-path.ts';

/** What was typed, and what was wrong with it. */
export interface CreditDraft {
  readonly amount: string;
  readonly note: string;
  readonly wrongAmount?: string | undefined;
  readonly wrongNote?: string | undefined;
}

/** Its key goes with it through the question to the end: whoever returns to this form and repeats it credits once. */
export function creditPanel(visit: Visit, { id }: { id: number }, draft?: CreditDraft): Html {
  const words = visit.texts.operator.accounts;
  const fields = moneyFields(visit, { label: words.note, hint: words.noteHint }, draft);
  const action = `${ACCOUNTS}/${id}/credit`;
  return panel(words.creditTitle, form(visit, { action, fields, submit: `${words.check}…`, isOnceOnly: true }), {
    note: words.creditNote,
  });
}

/** The fields of a credit or a debit: how much, and why. */
export function moneyFields(
  { texts: { payouts } }: Visit,
  note: { readonly label: string; readonly hint: string },
  draft?: CreditDraft,
): Html {
  return html`${textField({
    name: 'amount',
    label: payouts.amount,
    hint: payouts.amountHint,
    value: draft?.amount ?? '',
    inputMode: 'decimal',
    isRequired: true,
    width: 'short',
    error: draft?.wrongAmount,
  })}${textField({
    name: 'note',
    ...note,
    value: draft?.note ?? '',
    maxLength: MAX_WORDS,
    isRequired: true,
    error: draft?.wrongNote,
  })}`;
}
