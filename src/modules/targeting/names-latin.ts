/** The Latin spellings of Cyrillic letters and endings, in passports and in everyday use. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  ий: ['y', 'iy', 'ii', 'i'],
  ей: ['ey', 'ei'],
  ия: ['ia', 'iya', 'iia', 'ya'],
  ья: ['ya', 'ia', 'iya'],
  лю: ['lyu', 'liu', 'lu'],
  кс: ['ks', 'x'],
  а: ['a'],
  б: ['b'],
  в: ['v'],
  г: ['g'],
  д: ['d'],
  е: ['e'],
  ё: ['e', 'yo', 'io'],
  ж: ['zh'],
  з: ['z'],
  и: ['i'],
  й: ['y', 'i'],
  к: ['k'],
  л: ['l'],
  м: ['m'],
  н: ['n'],
  о: ['o'],
  п: ['p'],
  р: ['r'],
  с: ['s'],
  т: ['t'],
  у: ['u'],
  ф: ['f'],
  х: ['kh', 'h'],
  ц: ['ts', 'c'],
  ч: ['ch'],
  ш: ['sh'],
  щ: ['shch', 'sch'],
  ъ: [''],
  ы: ['y'],
  ь: [''],
  э: ['e'],
  ю: ['yu', 'iu'],
  я: ['ya', 'ia'],
};

const MOST_SPELLINGS = 64;

/** Returns the usual Latin spellings of a lower-case Cyrillic name. */
export function latinSpellings(name: string): readonly string[] {
  let spellings = /^[её]/u.test(name) ? ['', 'y'] : [''];
  for (let at = 0; at < name.length; ) {
    const pair = SPELLINGS[name.slice(at, at + 2)];
    const endings = pair ?? SPELLINGS[name.slice(at, at + 1)] ?? [];
    spellings = spellings.flatMap((start) => endings.map((end) => start + end)).slice(0, MOST_SPELLINGS);
    at += pair === undefined ? 1 : 2;
  }
  return spellings;
}
