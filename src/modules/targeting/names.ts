import lvovich from 'lvovich';
import { type Gender, lookUpName, type NameEntry } from './names-known.ts';
import { KIN, NOT_A_PERSON } from './names-peoples.ts';
import { ALSO_WORDS, COMMON_SURNAMES } from './names-russian.ts';

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
function isVisible(text: string): boolean {
  return text.slice(0, LONGEST_NAME).replace(INVISIBLE, '') !== '';
}

/** Returns the text in lower case, with `ё` as `е`, without accents, decorative fonts and invisible characters. */
function plainText(name: string): string {
  const composed = name.slice(0, LONGEST_NAME).normalize('NFKC').toLowerCase().replaceAll('ё', 'е');
  // Decompose only Latin letters, so that their accents are removed; й and ї are separate letters and stay composed.
  const unaccented = composed.replace(/\p{Script=Latin}/gu, (letter) => letter.normalize('NFD'));
  return unaccented.replace(IGNORABLE, '').replace(/[’ʼ`´]/gu, "'");
}

function hasCyrillicLetter(plain: string): boolean {
  return CYRILLIC.test(plain);
}

function isCyrillicWord(word: string): boolean {
  return CYRILLIC.test(word) && !LATIN.test(word);
}

/**
 * Returns the words of a plain text, in segments as the user separated them ("Анна | Психолог"). Emoji, digits,
 * punctuation and ornamental letters of other alphabets separate words.
 */
function wordsBySegment(plain: string): readonly (readonly string[])[] {
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
function isInitial(word: string): boolean {
  return INITIAL.test(word);
}

/** Returns a word of both alphabets as Cyrillic, as Latin and in its parts; any other word unchanged. */
function readings(word: string): readonly string[] {
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
function unstretched(word: string): readonly string[] {
  const single = word.replace(STRETCHED, '$1');
  return single === word ? [word] : [single, word.replace(STRETCHED, '$1$1')];
}

export type { Gender } from './names-known.ts';

export interface NameFacts {
  readonly hasCyrillic: boolean;
  readonly isRussianName: boolean;
  readonly gender: Gender | undefined;
}

/** A name is among the first words; later words belong to a sentence. */
const WORDS_READ = 4;
const SHORTEST_SURNAME = 4;

const AND: ReadonlySet<string> = new Set(['и', 'да', 'and', '&', '+']);
const PATRONYMIC = /(?:[оеь]вич|[аеь]ич|[ие]чна|[оеь]вна|инична|[а-я]{3}ыч)$/u;
const TURKIC_PATRONYMIC = /^(?:оглы|углы|угли|улы|уулу|кызы|кизи|гызы)$/u;
const SURNAME = /[а-я]{2}(?:[ое]ва?|[иы]на?|[сц]кий|[сц]кая|енко|ой|[вн]ич|ян|ук|юк|чак|швили|дзе)$/u;
const SURNAMES: ReadonlyMap<string, Gender> = new Map(
  COMMON_SURNAMES.flatMap((surname) => [
    [surname, 'male'],
    [`${surname}а`, 'female'],
  ]),
);

interface FoundName extends NameEntry {
  readonly word: string;
  /** The other words of the same segment. */
  readonly company: readonly string[];
}

/**
 * Returns the facts that a Telegram first name shows about a user, or undefined if no name is visible. docs/names.md
 * has the rules.
 */
export function readName(firstName: string): NameFacts | undefined {
  const name = firstName.trim();
  if (!isVisible(name)) return undefined;
  const plain = plainText(name);
  const segments = wordsBySegment(plain);
  const read = readWords(segments);
  return { hasCyrillic: hasCyrillicLetter(plain), isRussianName: read.isRussian, gender: read.gender };
}

function readWords(segments: readonly (readonly string[])[]): NameEntry {
  const words = segments.flat();
  const names = namesAmong(segments);
  const [name] = names;
  const kin = words.length > 1 ? KIN.get(words[0] ?? '') : undefined;
  if (name === undefined) return { gender: kin ?? genderWithoutName(words), isRussian: false };

  if (names.some(({ company }) => company.some((word) => AND.has(word)))) {
    return { gender: undefined, isRussian: names.length > 1 && names.every(({ isRussian }) => isRussian) };
  }
  const isRussian = names.some((found) => found.isRussian);
  if (kin !== undefined) return { gender: kin, isRussian };
  const genders = names.map(({ gender }) => gender);
  const isUndecided = genders.every((gender) => gender === undefined);
  return { gender: isUndecided ? genderOfCompany(name) : agreed(genders), isRussian };
}

/** Returns the common gender of several names; names without a gender do not count. */
function agreed(genders: readonly (Gender | undefined)[]): Gender | undefined {
  const told = new Set(genders.filter((gender) => gender !== undefined));
  const [gender] = told;
  return told.size === 1 ? gender : undefined;
}

function namesAmong(segments: readonly (readonly string[])[]): readonly FoundName[] {
  const names: FoundName[] = [];
  let wordsRead = 0;
  for (const segment of segments) {
    for (const word of segment) {
      if (wordsRead === WORDS_READ) return names;
      wordsRead += 1;
      // "Магазин Анна" is not a person, but "Анна, магазин" is one.
      if (NOT_A_PERSON.has(word) && names.length === 0) return [];
      const known = lookUp(word);
      if (known === undefined) continue;
      const company = segment.filter((other) => other !== word);
      if (!ALSO_WORDS.has(word) || company.every(suitsAName)) names.push({ ...known, word, company });
    }
  }
  return names;
}

/** Looks up a word in each alphabet and without stretched letters. A double name counts if all its parts are names. */
function lookUp(word: string): NameEntry | undefined {
  for (const reading of readings(word)) {
    for (const spelling of unstretched(reading)) {
      const known = lookUpName(spelling);
      if (known !== undefined) return known;
    }
  }
  if (!word.includes('-')) return undefined;
  const parts = word.split('-').map(lookUpName);
  if (!parts.every((part) => part !== undefined)) return undefined;
  return { gender: agreed(parts.map(({ gender }) => gender)), isRussian: parts.every(({ isRussian }) => isRussian) };
}

function suitsAName(word: string): boolean {
  return isInitial(word) || SURNAME.test(word) || isPatronymic(word) || KIN.has(word) || lookUp(word) !== undefined;
}

function isPatronymic(word: string): boolean {
  return PATRONYMIC.test(word) || TURKIC_PATRONYMIC.test(word);
}

/**
 * Decides the gender of a neutral name by the words beside it: Саша Иванова, Женя Петрович. Any ending counts here,
 * because there is a given name.
 */
function genderOfCompany({ company }: FoundName): Gender | undefined {
  for (const word of company) {
    const gender = genderOfPatronymic(word) ?? genderOfSurname(word);
    if (gender !== undefined) return gender;
  }
  return undefined;
}

/** Without a given name only unambiguous words count: Петрович, Иванова, but not Королева or Апельсин. */
function genderWithoutName(words: readonly string[]): Gender | undefined {
  for (const word of words.slice(0, WORDS_READ)) {
    if (NOT_A_PERSON.has(word)) return undefined;
    const gender = genderOfPatronymic(word) ?? SURNAMES.get(word);
    if (gender !== undefined) return gender;
  }
  return undefined;
}

function genderOfPatronymic(word: string): Gender | undefined {
  if (!isPatronymic(word)) return undefined;
  return word.endsWith('ыч') ? 'male' : decided(lvovich.getMiddlenameGender(word));
}

function genderOfSurname(word: string): Gender | undefined {
  if (word.length < SHORTEST_SURNAME || !isCyrillicWord(word) || NOT_A_PERSON.has(word)) return undefined;
  return decided(lvovich.getLastnameGender(word));
}

function decided(guess: 'male' | 'female' | 'androgynous' | null): Gender | undefined {
  return guess === null || guess === 'androgynous' ? undefined : guess;
}
