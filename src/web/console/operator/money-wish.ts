import { ApiError } from '../../../core/errors.ts';
import { readRubles } from '../../../core/locale.ts';
import type { Visit } from '../visit.ts';
import { lineIn } from './ask-words.ts';

/** Not a rule of the exchange: an amount outside is a typing error. The same in the management bot. */
const RANGE = { min: 1n, max: 1_000_000_000n };
const KEY = /^[0-9a-f-]{36}$/;

/** Money that is to be credited or debited, with a note and the name of the request. */
export interface Wish {
  readonly amountKopecks: bigint;
  readonly note: string;
  readonly key: string;
}

export function readWish({ texts, formats }: Visit, sent: URLSearchParams) {
  const key = sent.get('key') ?? '';
  if (!KEY.test(key)) throw new ApiError('validation_failed', 'The form has no key.');
  const typed = { amount: sent.get('amount') ?? '', note: sent.get('note') ?? '' };
  const amountKopecks = readRubles(typed.amount);
  const note = lineIn(sent, 'note');
  const range = texts.operator.accounts.range(formats.rubles(RANGE.min), formats.rubles(RANGE.max));
  const wrongAmount =
    amountKopecks === undefined
      ? texts.payouts.wrongAmount
      : amountKopecks < RANGE.min || amountKopecks > RANGE.max
        ? range
        : undefined;
  const wrongNote = note === undefined ? texts.operator.wrongText : undefined;
  if (amountKopecks === undefined || wrongAmount !== undefined || note === undefined) {
    return { ...typed, wrongAmount, wrongNote };
  }
  return { amountKopecks, note, key } satisfies Wish;
}

/** As `readRubles` reads it again. */
export const rublesOf = (kopecks: bigint): string => `${kopecks / 100n}.${String(kopecks % 100n).padStart(2, '0')}`;
