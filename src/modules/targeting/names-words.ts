/**
 * Telegram allows 64 characters. Longer texts come from other sources and are cut, which bounds the time to read them.
 */
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

/** Letters of the two alphabets that look the same, for names that mix both. */
const LATIN_LOOKALIKES = 'abcehkmoptxyi';
const CYRILLIC_LOOKALIKES = 'авсенкмортхуі';

/**
 * Returns whether the text has a visible character, even an emoji. Some accounts use fillers such as U+3164 or U+2800.
 */
export function isVisible(text: string): boolean {
  return text.slice(0, LONGEST_NAME).replace(INVISIBLE, '') !== '';
}

/** Returns the text in lower case, with `ё` as `е`, without accents, decorative fonts and invisible characters. */
export function plainText(name: string): string {
  const composed = name.slice(0, LONGEST_NAME).normalize('NFKC').toLowerCase().replaceAll('ё', 'е');
  // Decompose only Latin letters, so that their accents are removed; й and ї are separate letters and stay composed.
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
 * Returns the words of a plain text, in segments as the user separated them ("Анна | Психолог"). Emoji, digits,
 * punctuation and ornamental letters of other alphabets separate words.
 */
export function wordsBySegment(plain: string): readonly (readonly string[])[] {
  return plain
    .split(SEGMENT_BREAK)
    .map((segment) => joinSpelledOut(segment.match(WORD) ?? []))
    .filter((words) => words.length > 0);
}

/** Joins "А н н а" and "И.В.А.Н" to one word. */
function joinSpelledOut(words: readonly string[]): readonly string[] {
  return words.length > 2 && words.every(isInitial) ? [words.join('').replaceAll('.', '')] : words;
}

/** Returns whether the word is an initial. Initials keep their dot, which distinguishes "с." from the preposition. */
export function isInitial(word: string): boolean {
  return INITIAL.test(word);
}

/** Returns a word of both alphabets as Cyrillic, as Latin and in its parts; any other word unchanged. */
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

/**
 * Returns the word with its stretched letters written once and twice: "Настяяяя" means one letter, but Анна has two.
 */
export function unstretched(word: string): readonly string[] {
  const single = word.replace(STRETCHED, '$1');
  return single === word ? [word] : [single, word.replace(STRETCHED, '$1$1')];
}
