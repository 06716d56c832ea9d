import lvovich from 'lvovich';
import ruNames from 'ru-names';
import {
  INTERNATIONAL_FEMALE,
  INTERNATIONAL_MALE,
  PEOPLES_FEMALE,
  PEOPLES_FEMALE_ENDINGS,
  PEOPLES_MALE,
  PEOPLES_MALE_ENDINGS,
  SHORTEST_WITH_ENDING,
  UNDECIDED,
  UNDECIDED_LATIN,
} from './names-peoples.ts';
import { ALSO_WORDS, EITHER_SHORT, FEMALE_FULL, FEMALE_SHORT, MALE_FULL, MALE_SHORT } from './names-russian.ts';

/** The Latin spellings of Cyrillic letters and endings, in passports and in everyday use. */
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  `ий=y,iy,ii,i ей=ey,ei ия=ia,iya,iia,ya ья=ya,ia,iya лю=lyu,liu,lu кс=ks,x
   а=a б=b в=v г=g д=d е=e ё=e,yo,io ж=zh з=z и=i й=y,i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f
   х=kh,h ц=ts,c ч=ch ш=sh щ=shch,sch ъ= ы=y ь= э=e ю=yu,iu я=ya,ia`
    .split(/\s+/)
    .map((entry) => entry.split('='))
    .map(([letters = '', spellings = '']) => [letters, spellings.split(',')]),
);

const MOST_SPELLINGS = 64;

/** Returns the usual Latin spellings of a lower-case Cyrillic name. */
function latinSpellings(name: string): readonly string[] {
  let spellings = /^[её]/u.test(name) ? ['', 'y'] : [''];
  for (let at = 0; at < name.length; ) {
    const pair = SPELLINGS.get(name.slice(at, at + 2));
    const endings = pair ?? SPELLINGS.get(name.slice(at, at + 1)) ?? [];
    spellings = spellings.flatMap((start) => endings.map((end) => start + end)).slice(0, MOST_SPELLINGS);
    at += pair === undefined ? 1 : 2;
  }
  return spellings;
}

export type Gender = 'male' | 'female';

export interface NameEntry {
  readonly gender: Gender | undefined;
  readonly isRussian: boolean;
}

type NameTable = Map<string, NameEntry>;

const KNOWN = buildTable();

/** Returns the facts about a lower-case word as a given name, with `ё` folded to `е`. */
export function lookUpName(word: string): NameEntry | undefined {
  return KNOWN.get(word) ?? byEnding(word);
}

function byEnding(word: string): NameEntry | undefined {
  if (word.length < SHORTEST_WITH_ENDING) return undefined;
  if (PEOPLES_FEMALE_ENDINGS.some((ending) => word.endsWith(ending))) return { gender: 'female', isRussian: false };
  if (PEOPLES_MALE_ENDINGS.some((ending) => word.endsWith(ending))) return { gender: 'male', isRussian: false };
  return undefined;
}

/**
 * Builds the table. The first entry of a word wins, so the most reliable sources come first: our own tables, then the
 * packages.
 */
function buildTable(): NameTable {
  const table: NameTable = new Map();
  addRussian(table);
  add(table, PEOPLES_MALE, { gender: 'male', isRussian: false });
  add(table, PEOPLES_FEMALE, { gender: 'female', isRussian: false });
  addFromPackages(table);
  return table;
}

function add(table: NameTable, names: Iterable<string>, known: NameEntry): void {
  for (const name of names) {
    const word = name.replaceAll('ё', 'е');
    if (!table.has(word)) table.set(word, known);
  }
}

function addRussian(table: NameTable): void {
  const groups: readonly { names: readonly string[]; known: NameEntry }[] = [
    { names: EITHER_SHORT, known: { gender: undefined, isRussian: true } },
    { names: [...MALE_FULL, ...MALE_SHORT], known: { gender: 'male', isRussian: true } },
    { names: [...FEMALE_FULL, ...FEMALE_SHORT], known: { gender: 'female', isRussian: true } },
  ];
  for (const { names, known } of groups) add(table, names, known);
  for (const { names, known } of groups) add(table, names.flatMap(affectionate), known);

  add(table, UNDECIDED_LATIN, { gender: undefined, isRussian: false });
  add(table, INTERNATIONAL_MALE, { gender: 'male', isRussian: false });
  add(table, INTERNATIONAL_FEMALE, { gender: 'female', isRussian: false });
  for (const { names, known } of groups) add(table, names.flatMap(latinSpellings), known);
}

/**
 * Returns the diminutives of a name: Оля, Оленька, Олечка. It omits -ка, which also forms ordinary words: кирка,
 * полька, мишка.
 */
function affectionate(name: string): readonly string[] {
  const stem = name.slice(0, -1);
  if (ALSO_WORDS.has(name) || stem.length < 2) return [];
  if (/[шжч]а$|[^аеиоуыэюяь]я$/u.test(name)) return [`${stem}енька`, `${stem}ечка`];
  return /[^аеиоуыэюяьк]а$/u.test(name) ? [`${stem}очка`, `${stem}онька`] : [];
}

/**
 * Adds the names of `ru-names`, which has rare and foreign names but also errors. Some of its feminine forms are the
 * genitive of a Russian man's name ("от Андрея"), while Наиль and Наиля, Азиз and Азиза are real pairs. `lvovich`
 * guesses any word by its ending, so it can only exclude a name.
 */
function addFromPackages(table: NameTable): void {
  const russianMen = new Set(MALE_FULL.map((name) => name.replaceAll('ё', 'е')));
  for (const [name, letter] of Object.entries(ruNames)) {
    const word = name.replaceAll('ё', 'е');
    const gender = letter === 'm' ? 'male' : 'female';
    const guess = lvovich.getFirstnameGender(word);
    const isDoubtful =
      UNDECIDED.has(word) ||
      (guess !== null && guess !== gender) ||
      nominatives(word).some((man) => russianMen.has(man));
    if (!isDoubtful) add(table, [word], { gender, isRussian: false });
  }
}

/** Returns the masculine words whose genitive this word could be. */
function nominatives(word: string): readonly string[] {
  const stem = word.slice(0, -1);
  if (word.endsWith('а')) return [stem];
  return word.endsWith('я') ? [`${stem}й`, `${stem}ь`] : [];
}
