/** Telegram allows 64 characters of name and 32 of username. A longer text is cut, which bounds the time to read it. */
const LONGEST = 64;
const WORD = /[\p{L}\d]+/gu;
const SWITCH = /\p{L}(?=\d)|\d(?=\p{L})/gu;
const CONSONANT_RUN = /[bcdfghjklmnpqrstvwxzбвгджзйклмнпрстфхцчшщ]{7,}/u;
const VOWEL = /[aeiouyаеиоуыэюяіїє]/gu;
/** A birthday, as people put it into a name: 12041985, 19850412 or 120485. */
const DATE =
  /^(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)?\d\d|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/;

/** Accounts made by a program alternate letters and digits at least this often in one word, such as `k3j9x2q`. */
const MOST_SWITCHES = 4;
const MANY_DIGITS = 6;
const FEW_LETTERS = 4;
const LONG_WORD = 8;

/**
 * Returns whether a first name or a username looks as if a program made it: random letters, letters and digits mixed,
 * or a number with hardly a letter. Names are not stored; only this flag is.
 */
export function looksGenerated(names: {
  readonly firstName: string | null | undefined;
  readonly username: string | null | undefined;
}): boolean {
  return [names.firstName, names.username].some((text) => text != null && wordsOf(text).some(isRandomWord));
}

function wordsOf(text: string): readonly string[] {
  return text.slice(0, LONGEST).toWellFormed().normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

function isRandomWord(word: string): boolean {
  if (word.length <= MOST_SWITCHES) return false; // too short for any of the signs below
  const digits = word.replace(/\D/gu, '');
  const letters = word.replace(/\d/gu, '');
  if ((word.match(SWITCH)?.length ?? 0) >= MOST_SWITCHES) return true;
  if (digits.length >= MANY_DIGITS && letters.length <= FEW_LETTERS && !DATE.test(digits)) return true;
  if (CONSONANT_RUN.test(letters)) return true;
  const isReadable = letters.length < LONG_WORD || !/^[a-zа-яёіїє]+$/u.test(letters);
  return !isReadable && (letters.match(VOWEL)?.length ?? 0) * LONG_WORD < letters.length;
}
