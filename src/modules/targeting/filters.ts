import { type Static, type TSchema, Type } from 'typebox';
import { cityKey } from '../../core/cities.ts';
import type { NameFacts } from './names.ts';

/** Everything that the service may know about a user when it selects tasks. An absent value is unknown and passes. */
export interface UserProfile {
  /** Unknown only if the bot explicitly says so: the API has a default for both. */
  readonly languageCode: string | undefined;
  readonly isPremium: boolean | undefined;
  /** From the data that the bot sent; null if the bot says that the user has no name. */
  readonly name: NameFacts | null | undefined;
  readonly hasUsername: boolean | undefined;
  readonly chatContext: ChatContext | undefined;
  /** Days since the service first saw the user; 0 on the first day. */
  readonly daysSinceFirstSeen: number;
  /** The learned values that are not too old, by key. */
  readonly learned: Readonly<Record<string, unknown>>;
  /** The quality score of the bot that shows the task; unknown for a new bot. */
  readonly sourceScore?: number | undefined;
  /** Whether that bot has a score. */
  readonly hasSourceScore?: boolean | undefined;
  /** Whether the user passed the human check of our Mini App; absent means no. */
  readonly isHumanChecked?: boolean | undefined;
}

export type ChatContext = 'private' | 'group';

/** Telegram gives groups negative ids; a private chat has the id of its user. */
export function chatContextOf(chatId: number | undefined): ChatContext | undefined {
  if (chatId === undefined) return undefined;
  return chatId < 0 ? 'group' : 'private';
}

/** A value that distinguishes users. Each filter has few of them, so that an index can keep one bitmap for each. */
export type Fact = string | number | boolean;

export const FILTER_CATEGORIES = ['geography', 'profile', 'device', 'presence', 'name', 'quality'] as const;
export type FilterCategory = (typeof FILTER_CATEGORIES)[number];

/** One way to select users. The entries below contain everything that is specific to a filter. */
export interface Filter<Key extends string, Condition extends TSchema, F extends Fact> {
  readonly key: Key;
  readonly category: FilterCategory;
  /** The schema of the advertiser's setting. */
  readonly condition: Condition;
  /** The factor of the charge in percent, 110 to 200. Absent means that the filter is free. */
  readonly coefficientPercent?: number;
  /** Returns the user's value, or undefined if it is unknown. */
  readonly fact: (user: UserProfile) => F | undefined;
  readonly accepts: (condition: Static<Condition>, fact: F) => boolean;
}

function filter<const Key extends string, Condition extends TSchema, F extends Fact>(
  entry: Filter<Key, Condition, F>,
): Filter<Key, Condition, F> {
  return entry;
}

const list = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: 200, uniqueItems: true });
const strings = (pattern: string) => list(Type.String({ pattern }));
const oneOf = <const T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values });

/** Learned data is not validated when it is stored; a value of the wrong type counts as unknown. */
const learnedText = (user: UserProfile, key: string): string | undefined => {
  const value = user.learned[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const learnedFlag = (user: UserProfile, key: string): boolean | undefined => {
  const value = user.learned[key];
  return typeof value === 'boolean' ? value : undefined;
};
/** Returns a whole number within the range of the filter, so that the index sees few different values. */
const learnedNumber = (user: UserProfile, key: string, most: number): number | undefined => {
  const value = user.learned[key];
  return typeof value === 'number' ? Math.max(0, Math.min(Math.floor(value), most)) : undefined;
};

/** `pt` includes every variant of Portuguese, `pt-br` only the Brazilian one. */
function speaks(wanted: string, languageCode: string): boolean {
  const language = wanted.toLowerCase();
  return languageCode === language || languageCode.startsWith(`${language}-`);
}

/** A filter whose condition is yes or no. */
const flag = <const Key extends string>(
  key: Key,
  category: FilterCategory,
  fact: (user: UserProfile) => boolean | undefined,
) => filter({ key, category, condition: Type.Boolean(), fact, accepts: (condition, known) => condition === known });

/** A filter on a learned number of the same name: `min` is the smallest one, the index sees values up to `known`. */
const atLeast = <const Key extends string>(
  key: Key,
  category: FilterCategory,
  { min, max, known, coefficientPercent }: { min: number; max: number; known: number; coefficientPercent: number },
) =>
  filter({
    key,
    category,
    condition: Type.Object({ min: Type.Integer({ minimum: min, maximum: max }) }),
    coefficientPercent,
    fact: (user) => learnedNumber(user, key, known),
    accepts: (condition, fact) => fact >= condition.min,
  });

export const FILTERS = [
  filter({
    key: 'languages',
    category: 'geography',
    condition: strings('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
    fact: (user) => user.languageCode?.toLowerCase().replaceAll('_', '-'),
    accepts: (condition, fact) => condition.some((language) => speaks(language, fact)),
  }),
  filter({
    key: 'countries',
    category: 'geography',
    condition: strings('^[A-Za-z]{2}$'),
    coefficientPercent: 120,
    fact: (user) => learnedText(user, 'country')?.toUpperCase(),
    accepts: (condition, fact) => condition.some((country) => country.toUpperCase() === fact),
  }),
  filter({
    key: 'cities',
    category: 'geography',
    condition: strings('^[^\\u0000\\ud800-\\udfff]{1,100}$'),
    coefficientPercent: 140,
    fact: (user) => {
      const key = cityKey(learnedText(user, 'city') ?? '');
      return key === '' ? undefined : key;
    },
    accepts: (condition, fact) => condition.some((city) => cityKey(city) === fact),
  }),
  filter({
    key: 'age',
    category: 'profile',
    condition: Type.Object({
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
    condition: oneOf('male', 'female'),
    fact: (user) => user.name?.gender ?? learnedText(user, 'gender'),
    accepts: (condition, fact) => condition === fact,
  }),
  atLeast('account_age_years', 'profile', { min: 2, max: 9, known: 10, coefficientPercent: 120 }),
  filter({
    key: 'device_types',
    category: 'device',
    condition: list(oneOf('smartphone', 'desktop', 'tablet')),
    coefficientPercent: 110,
    fact: (user) => learnedText(user, 'device_type'),
    accepts: (condition, fact) => condition.some((wanted) => wanted === fact),
  }),
  filter({
    key: 'os',
    category: 'device',
    condition: list(oneOf('Android', 'iOS', 'Windows', 'macOS')),
    coefficientPercent: 110,
    fact: (user) => learnedText(user, 'os'),
    accepts: (condition, fact) => condition.some((wanted) => wanted === fact),
  }),
  flag('premium', 'device', (user) => user.isPremium),
  flag('has_photo', 'presence', (user) => learnedFlag(user, 'has_photo')),
  flag('real_photo', 'presence', (user) => learnedFlag(user, 'real_photo')),
  flag('has_name', 'presence', (user) => (user.name === undefined ? undefined : user.name !== null)),
  flag('has_username', 'presence', (user) => user.hasUsername),
  flag('has_bio', 'presence', (user) => learnedFlag(user, 'has_bio')),
  flag('has_audio', 'presence', (user) => learnedFlag(user, 'has_audio')),
  flag('russian_name', 'name', (user) => (user.name === null ? false : user.name?.isRussianName)),
  flag('cyrillic_name', 'name', (user) => (user.name === null ? false : user.name?.hasCyrillic)),
  atLeast('rating', 'quality', { min: 1, max: 10, known: 10, coefficientPercent: 130 }),
  atLeast('gifts', 'quality', { min: 1, max: 100, known: 100, coefficientPercent: 150 }),
  filter({
    key: 'chat_context',
    category: 'quality',
    condition: oneOf('private', 'group'),
    fact: (user) => user.chatContext,
    accepts: (condition, fact) => condition === fact,
  }),
  filter({
    key: 'fresh_days',
    category: 'quality',
    condition: Type.Object({ max: Type.Integer({ minimum: 1, maximum: 365 }) }),
    fact: (user) => Math.min(user.daysSinceFirstSeen, 366),
    accepts: ({ max }, fact) => fact <= max,
  }),
  filter({
    key: 'min_quality',
    category: 'quality',
    condition: Type.Object({ min: Type.Integer({ minimum: 1, maximum: 100 }) }),
    fact: (user) => user.sourceScore,
    accepts: (condition, fact) => fact >= condition.min,
  }),
  flag('scored_source', 'quality', (user) => user.hasSourceScore),
  // Always known: a user who has not passed the check is not a checked one.
  flag('human_checked', 'quality', (user) => user.isHumanChecked === true),
] as const;

type AnyFilter = (typeof FILTERS)[number];
export type FilterKey = AnyFilter['key'];
/** The filters of one order. An absent filter accepts every user. */
export type Filters = { readonly [F in AnyFilter as F['key']]?: Static<F['condition']> };

/** The schema of a set of filters. It rejects unknown keys, so that a typing error does not cost money. */
export const FiltersSchema = Type.Object(
  Object.fromEntries(FILTERS.map(({ key, condition }) => [key, Type.Optional(condition as TSchema)])),
  { additionalProperties: false },
);

/** The untyped form of an entry, for code that iterates over all filters. */
export interface UniformFilter {
  readonly key: FilterKey;
  readonly category: FilterCategory;
  readonly coefficientPercent?: number;
  readonly fact: (user: UserProfile) => Fact | undefined;
  readonly accepts: (condition: unknown, fact: Fact) => boolean;
}
export const UNIFORM_FILTERS = FILTERS as readonly unknown[] as readonly UniformFilter[];

/** The user's value for each filter, in the order of `FILTERS`. */
export type Facts = readonly (Fact | undefined)[];

export function factsOf(user: UserProfile): Facts {
  return UNIFORM_FILTERS.map((entry) => entry.fact(user));
}

/**
 * Applies the filters of one order and returns the first one that hides the task. A known value that a filter does not
 * accept hides the task; an unknown value passes.
 */
export function hiddenBy(filters: Filters, facts: Facts): FilterKey | undefined {
  for (const [i, { key, accepts }] of UNIFORM_FILTERS.entries()) {
    const condition = filters[key];
    const fact = facts[i];
    if (condition !== undefined && fact !== undefined && !accepts(condition, fact)) return key;
  }
  return undefined;
}
