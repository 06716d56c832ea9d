import { type Static, type TSchema, Type } from 'typebox';
import { cityKey } from '../../core/cities.ts';
import type { KnownUser } from './known-user.ts';

/** A value that distinguishes users. Each filter has few of them, so that an index can keep one bitmap for each. */
export type Fact = string | number | boolean;

export const FILTER_CATEGORIES = ['geography', 'profile', 'device', 'presence', 'name', 'quality'] as const;
export type FilterCategory = (typeof FILTER_CATEGORIES)[number];

/** One way to select users. The entries below contain everything that is specific to a filter. */
export interface Filter<Key extends string, Wish extends TSchema, F extends Fact> {
  readonly key: Key;
  readonly category: FilterCategory;
  /** The schema of the advertiser's setting. */
  readonly wish: Wish;
  /** The factor of the charge in percent, 110 to 200. Absent means that the filter is free. */
  readonly coefficientPercent?: number;
  /** Returns the user's value, or undefined if it is unknown. */
  readonly fact: (user: KnownUser) => F | undefined;
  readonly accepts: (wish: Static<Wish>, fact: F) => boolean;
}

function filter<const Key extends string, Wish extends TSchema, F extends Fact>(
  entry: Filter<Key, Wish, F>,
): Filter<Key, Wish, F> {
  return entry;
}

const list = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: 200, uniqueItems: true });
const strings = (pattern: string) => list(Type.String({ pattern }));
const oneOf = <const T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values });
const atLeast = (min: number, max: number) => Type.Object({ min: Type.Integer({ minimum: min, maximum: max }) });

/** Learned data is not validated when it is stored; a value of the wrong type counts as unknown. */
const learnedText = (user: KnownUser, key: string): string | undefined => {
  const value = user.learned[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const learnedFlag = (user: KnownUser, key: string): boolean | undefined => {
  const value = user.learned[key];
  return typeof value === 'boolean' ? value : undefined;
};
/** Returns a whole number within the range of the filter, so that the index sees few different values. */
const learnedNumber = (user: KnownUser, key: string, most: number): number | undefined => {
  const value = user.learned[key];
  return typeof value === 'number' ? Math.max(0, Math.min(Math.floor(value), most)) : undefined;
};

/** `pt` includes every variant of Portuguese, `pt-br` only the Brazilian one. */
function speaks(wanted: string, languageCode: string): boolean {
  const wish = wanted.toLowerCase();
  return languageCode === wish || languageCode.startsWith(`${wish}-`);
}

export const FILTERS = [
  filter({
    key: 'languages',
    category: 'geography',
    wish: strings('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
    fact: (user) => user.languageCode?.toLowerCase().replaceAll('_', '-'),
    accepts: (wish, fact) => wish.some((language) => speaks(language, fact)),
  }),
  filter({
    key: 'countries',
    category: 'geography',
    wish: strings('^[A-Za-z]{2}$'),
    coefficientPercent: 120,
    fact: (user) => learnedText(user, 'country')?.toUpperCase(),
    accepts: (wish, fact) => wish.some((country) => country.toUpperCase() === fact),
  }),
  filter({
    key: 'cities',
    category: 'geography',
    wish: strings('^[^\\u0000\\ud800-\\udfff]{1,100}$'),
    coefficientPercent: 140,
    fact: (user) => {
      const key = cityKey(learnedText(user, 'city') ?? '');
      return key === '' ? undefined : key;
    },
    accepts: (wish, fact) => wish.some((city) => cityKey(city) === fact),
  }),
  filter({
    key: 'age',
    category: 'profile',
    wish: Type.Object({
      min: Type.Optional(Type.Integer({ minimum: 0, maximum: 120 })),
      max: Type.Optional(Type.Integer({ minimum: 0, maximum: 120 })),
    }),
    coefficientPercent: 130,
    fact: (user) => learnedNumber(user, 'age', 120),
    accepts: ({ min = 0, max = 120 }, fact) => fact >= min && fact <= max,
  }),
  filter({
    key: 'gender',
    category: 'profile',
    wish: oneOf('male', 'female'),
    fact: (user) => user.name?.gender ?? learnedText(user, 'gender'),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'account_age_years',
    category: 'profile',
    wish: atLeast(2, 9),
    coefficientPercent: 120,
    fact: (user) => learnedNumber(user, 'account_age_years', 10),
    accepts: ({ min }, fact) => fact >= min,
  }),
  filter({
    key: 'device_types',
    category: 'device',
    wish: list(oneOf('smartphone', 'desktop', 'tablet')),
    coefficientPercent: 110,
    fact: (user) => learnedText(user, 'device_type'),
    accepts: (wish, fact) => wish.some((wanted) => wanted === fact),
  }),
  filter({
    key: 'os',
    category: 'device',
    wish: list(oneOf('Android', 'iOS', 'Windows', 'macOS')),
    coefficientPercent: 110,
    fact: (user) => learnedText(user, 'os'),
    accepts: (wish, fact) => wish.some((wanted) => wanted === fact),
  }),
  filter({
    key: 'premium',
    category: 'device',
    wish: Type.Boolean(),
    fact: (user) => user.isPremium,
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'has_photo',
    category: 'presence',
    wish: Type.Boolean(),
    fact: (user) => learnedFlag(user, 'has_photo'),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'real_photo',
    category: 'presence',
    wish: Type.Boolean(),
    fact: (user) => learnedFlag(user, 'real_photo'),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'has_name',
    category: 'presence',
    wish: Type.Boolean(),
    fact: (user) => (user.name === undefined ? undefined : user.name !== null),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'has_username',
    category: 'presence',
    wish: Type.Boolean(),
    fact: (user) => user.hasUsername,
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'has_bio',
    category: 'presence',
    wish: Type.Boolean(),
    fact: (user) => learnedFlag(user, 'has_bio'),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'has_audio',
    category: 'presence',
    wish: Type.Boolean(),
    fact: (user) => learnedFlag(user, 'has_audio'),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'russian_name',
    category: 'name',
    wish: Type.Boolean(),
    fact: (user) => (user.name === null ? false : user.name?.isRussianName),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'cyrillic_name',
    category: 'name',
    wish: Type.Boolean(),
    fact: (user) => (user.name === null ? false : user.name?.hasCyrillic),
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'rating',
    category: 'quality',
    wish: atLeast(1, 10),
    coefficientPercent: 130,
    fact: (user) => learnedNumber(user, 'rating', 10),
    accepts: ({ min }, fact) => fact >= min,
  }),
  filter({
    key: 'gifts',
    category: 'quality',
    wish: atLeast(1, 100),
    coefficientPercent: 150,
    fact: (user) => learnedNumber(user, 'gifts', 100),
    accepts: ({ min }, fact) => fact >= min,
  }),
  filter({
    key: 'chat_context',
    category: 'quality',
    wish: oneOf('private', 'group'),
    fact: (user) => user.chatContext,
    accepts: (wish, fact) => wish === fact,
  }),
  filter({
    key: 'fresh_days',
    category: 'quality',
    wish: Type.Object({ max: Type.Integer({ minimum: 1, maximum: 365 }) }),
    fact: (user) => Math.min(user.daysSinceFirstSeen, 366),
    accepts: ({ max }, fact) => fact <= max,
  }),
] as const;

type AnyFilter = (typeof FILTERS)[number];
export type FilterKey = AnyFilter['key'];
/** The filters of one order. An absent filter accepts every user. */
export type Filters = { readonly [F in AnyFilter as F['key']]?: Static<F['wish']> };

/** The schema of a set of filters. It rejects unknown keys, so that a typing error does not cost money. */
export const FiltersSchema = Type.Object(
  Object.fromEntries(FILTERS.map(({ key, wish }) => [key, Type.Optional(wish as TSchema)])),
  { additionalProperties: false },
);

/** The untyped form of an entry, for code that iterates over all filters. */
export interface UniformFilter {
  readonly key: FilterKey;
  readonly category: FilterCategory;
  readonly coefficientPercent?: number;
  readonly fact: (user: KnownUser) => Fact | undefined;
  readonly accepts: (wish: unknown, fact: Fact) => boolean;
}
export const UNIFORM_FILTERS = FILTERS as readonly unknown[] as readonly UniformFilter[];

/** The user's value for each filter, in the order of `FILTERS`. */
export type Facts = readonly (Fact | undefined)[];

export function factsOf(user: KnownUser): Facts {
  return UNIFORM_FILTERS.map((entry) => entry.fact(user));
}
