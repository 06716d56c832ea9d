/** Telegram allows 64 characters. Longer texts come from elsewhere and are cut, so that reading one costs a bounded time. */
const LONGEST_NAME = 100;

const INVISIBLE = /[\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const IGNORABLE = /[\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const SEGMENT_BREAK = /[|/\\•·—–:;,~]+/u;
const INITIAL = /^\p{L}\.?$/u;
const WORD =
  /(?<!\p{L})\p{L}\.|[\p{Script=Cyrillic}\p{Script=Latin}]+(?:['-][\p{Script=Cyrillic}\p{Script=Latin}]+)*|[&+]/gu;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN = /\p{Script=Latin}/u;
const SCRIPT_RUN = /\p{Script=Cyrillic}+|\p{Script=Latin}+/gu;
const STRETCHED = /(\p{L})\1{2,}/gu;

/** Letters that look the same, for names written with both alphabets to please or to deceive. */
const LATIN_LOOKALIKES = 'abcehkmoptxyi';
const CYRILLIC_LOOKALIKES = 'авсенкмортхуі';

/** Something a person can see, even if it is an emoji. Accounts hide their name behind fillers such as U+3164 or U+2800. */
export function isVisible(text: string): boolean {
  return text.slice(0, LONGEST_NAME).replace(INVISIBLE, '') !== '';
}

/** Lower case, `ё` as `е`, no accents, no fancy fonts, no invisible characters. Words keep their order. */
export function plainText(name: string): string {
  const composed = name.slice(0, LONGEST_NAME).normalize('NFKC').toLowerCase().replaceAll('ё', 'е');
  // A Latin accent goes with the marks; й and ї are letters of their own and stay composed.
  const unaccented = composed.replace(/\p{Script=Latin}/gu, (letter) => letter.normalize('NFD'));
  return unaccented.replace(IGNORABLE, '').replace(/[’ʼ`´]/gu, "'");
}

export function hasCyrillicLetter(plain: string): boolean {
  return CYRILLIC.test(plain);
}

export function isCyrillicWord(word: string): boolean {
  return CYRILLIC.test(word) && !LATIN.test(word);
}

/**
 * The words of a plain text, in parts as its owner separated them ("Анна | Психолог"). Emoji, digits, punctuation and
 * the letters of other alphabets, which serve as ornaments, only separate.
 */
export function wordsBySegment(plain: string): readonly (readonly string[])[] {
  return plain
    .split(SEGMENT_BREAK)
    .map((segment) => joinSpelledOut(segment.match(WORD) ?? []))
    .filter((words) => words.length > 0);
}

/** "А н н а" and "И.В.А.Н" are one word. */
function joinSpelledOut(words: readonly string[]): readonly string[] {
  return words.length > 2 && words.every(isInitial) ? [words.join('').replaceAll('.', '')] : words;
}

/** Initials keep their dot, which tells "с." of a name from the preposition. */
export function isInitial(word: string): boolean {
  return INITIAL.test(word);
}

/** A word of both alphabets, read as one or the other, or else its parts; any other word as it stands. */
export function readings(word: string): readonly string[] {
  if (!CYRILLIC.test(word) || !LATIN.test(word)) return [word];
  return [
    replaceLookalikes(word, LATIN_LOOKALIKES, CYRILLIC_LOOKALIKES),
    replaceLookalikes(word, CYRILLIC_LOOKALIKES, LATIN_LOOKALIKES),
    ...(word.match(SCRIPT_RUN) ?? []),
  ];
}

function replaceLookalikes(word: string, from: string, to: string): string {
  return Array.from(word, (letter) => to[from.indexOf(letter)] ?? letter).join('');
}

/** "Настяяяя" may mean one letter or, as in Анна, two. */
export function unstretched(word: string): readonly string[] {
  const single = word.replace(STRETCHED, '$1');
  return single === word ? [word] : [single, word.replace(STRETCHED, '$1$1')];
}
