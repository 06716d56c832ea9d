import { cityName } from '../../../../core/cities.ts';
import type { Language } from '../../../../core/locale.ts';
import { countryName, languageName, readCity, readCountry, readLanguage } from '../../../../core/place-names.ts';
import type { FilterKey, Filters } from '../../../../modules/targeting/index.ts';

/** Yes, no or any. */
interface FlagEditor {
  readonly kind: 'flag';
}

/** One of a few options, or several of them. */
interface OptionsEditor<Kind extends 'choice' | 'several', Option extends string = string> {
  readonly kind: Kind;
  readonly options: readonly Option[];
}

/** Several of very many values: buttons for the usual ones, typing for the rest. */
export interface ListEditor {
  readonly kind: 'list';
  readonly usual: readonly string[];
  /** Returns the value of a typed word or a stored value, or undefined. */
  readonly read: (text: string) => string | undefined;
  readonly name: (value: string, language: Language) => string;
}

/** A bound, or a range with optional ends. */
interface NumberEditor<Kind extends 'minimum' | 'maximum' | 'range', Usual = number> {
  readonly kind: Kind;
  readonly usual: readonly Usual[];
  readonly least: number;
  readonly most: number;
}
export type RangeEditor = NumberEditor<'range', readonly [min: number, max: number]>;

export type Editor =
  | FlagEditor
  | OptionsEditor<'choice'>
  | OptionsEditor<'several'>
  | ListEditor
  | NumberEditor<'minimum'>
  | NumberEditor<'maximum'>
  | RangeEditor;

/** The editor for values of this type. */
type EditorOf<Value> = [Value] extends [boolean]
  ? FlagEditor
  : [Value] extends [string]
    ? OptionsEditor<'choice', Value>
    : [Value] extends [readonly (infer Item extends string)[]]
      ? string extends Item
        ? ListEditor
        : OptionsEditor<'several', Item>
      : [Value] extends [{ min: number }]
        ? NumberEditor<'minimum'>
        : [Value] extends [{ max: number }]
          ? NumberEditor<'maximum'>
          : RangeEditor;

const flag: FlagEditor = { kind: 'flag' };
const from = (least: number, most: number, usual: readonly number[]): NumberEditor<'minimum'> => ({
  kind: 'minimum',
  usual,
  least,
  most,
});
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** The editor of each filter. A missing filter or an editor of the wrong kind does not compile. */
const EDITORS: { readonly [Key in FilterKey]: EditorOf<NonNullable<Filters[Key]>> } = {
  languages: {
    kind: 'list',
    usual: ['ru', 'en', 'uk', 'be', 'kk', 'uz', 'de', 'es', 'pt', 'tr'],
    read: readLanguage,
    name: languageName,
  },
  countries: {
    kind: 'list',
    usual: ['RU', 'BY', 'KZ', 'UZ', 'KG', 'AM', 'GE', 'UA', 'DE', 'US'],
    read: readCountry,
    name: countryName,
  },
  cities: {
    kind: 'list',
    usual: ['Moscow', 'St Petersburg', 'Novosibirsk', 'Yekaterinburg', 'Kazan', 'Krasnodar', 'Minsk', 'Almaty'],
    read: readCity,
    name: cityName,
  },
  age: {
    kind: 'range',
    usual: [
      [18, 24],
      [25, 34],
      [35, 44],
      [18, 35],
      [18, 120],
    ],
    least: 0,
    most: 120,
  },
  gender: { kind: 'choice', options: ['male', 'female'] },
  account_age_years: from(2, 9, numbers(2, 9)),
  device_types: { kind: 'several', options: ['smartphone', 'desktop', 'tablet'] },
  os: { kind: 'several', options: ['Android', 'iOS', 'Windows', 'macOS'] },
  premium: flag,
  has_photo: flag,
  real_photo: flag,
  has_name: flag,
  has_username: flag,
  has_bio: flag,
  has_audio: flag,
  russian_name: flag,
  cyrillic_name: flag,
  rating: from(1, 10, numbers(1, 10)),
  gifts: from(1, 100, [1, 3, 5, 10]),
  chat_context: { kind: 'choice', options: ['private', 'group'] },
  fresh_days: { kind: 'maximum', usual: [1, 3, 7, 30], least: 1, most: 365 },
  min_quality: from(1, 100, [40, 60, 80, 90]),
  scored_source: flag,
  human_checked: flag,
};

/** Returns the editor as a union, for code that handles all filters. */
export const editorOf = (key: FilterKey): Editor => EDITORS[key];
