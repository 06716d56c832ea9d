import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { readRubles } from '../../../core/locale.ts';
import { form, textField } from '../parts/form.ts';
import type { Visit } from '../visit.ts';
import { MAX_REASON, readLine } from './ask-reason.ts';
import { ACCOUNTS } from './operator-path.ts';

export type MoneyMove = 'credit' | 'debit';

/** Catches typing errors; it is not a rule of the exchange. The management bot has the same range. */
const RANGE = { min: 1n, max: 1_000_000_000n };
const KEY = /^[0-9a-f-]{36}$/;

/** The content of a form, with its errors. */
export interface MoneyDraft {
  readonly amount: string;
  readonly note: string;
  readonly wrongAmount?: string | undefined;
  readonly wrongNote?: string | undefined;
}

export interface MoneyRequest {
  readonly amountKopecks: bigint;
  readonly note: string;
  readonly key: string;
}

/** The confirmation page keeps the key of this form, so that a repeated form moves the money once. */
export function moneyForm(visit: Visit, move: MoneyMove, accountId: number, draft?: MoneyDraft): Html {
  const { noteLabel, noteHint, check } = visit.texts.operator[move];
  const { amount, amountHint } = visit.texts.payouts;
  const fields = html`${textField({
    name: 'amount',
    label: amount,
    hint: amountHint,
    value: draft?.amount ?? '',
    inputMode: 'decimal',
    isRequired: true,
    width: 'short',
    error: draft?.wrongAmount,
  })}${textField({
    name: 'note',
    label: noteLabel,
    hint: noteHint,
    value: draft?.note ?? '',
    maxLength: MAX_REASON,
    isRequired: true,
    error: draft?.wrongNote,
  })}`;
  return form(visit, {
    action: `${ACCOUNTS}/${accountId}/${move}`,
    fields,
    submit: `${check}…`,
    isIdempotent: true,
  });
}

export function readMoneyForm({ shared, formats }: Visit, sent: URLSearchParams): MoneyRequest | MoneyDraft {
  const key = sent.get('key') ?? '';
  if (!KEY.test(key)) throw new ApiError('validation_failed', 'The form has no key.');
  const [amount, note] = [sent.get('amount') ?? '', readLine(sent, 'note')];
  const amountKopecks = readRubles(amount);
  const isInRange = amountKopecks !== undefined && amountKopecks >= RANGE.min && amountKopecks <= RANGE.max;
  if (isInRange && note !== undefined) return { amountKopecks, note, key };
  const { wrongAmount, range, textLength } = shared.inputs;
  const outOfRange = range(formats.rubles(RANGE.min), formats.rubles(RANGE.max));
  return {
    amount,
    note: sent.get('note') ?? '',
    wrongAmount: amountKopecks === undefined ? wrongAmount : isInRange ? undefined : outOfRange,
    wrongNote: note === undefined ? textLength : undefined,
  };
}
