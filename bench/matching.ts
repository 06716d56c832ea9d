/**
 * Measures how long it takes to find the best ten tasks for a user: the index compared with a scan of all orders in
 * rank order, on the same orders in one run. `node bench/matching.ts`
 */
import {
  buildMatchIndex,
  type Facts,
  type Filters,
  factsOf,
  hiddenBy,
  type Ranked,
} from '../src/modules/targeting/index.ts';
import { createRandom, median } from './random.ts';

const SIZES = [1_000, 10_000, 100_000];
const LIMIT_US = [5, 30, 100];
const TOP = 10;
const USERS = 400;
const ROUNDS = 15;

const random = createRandom(42);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const some = <T>(items: readonly T[], share: number): T[] => {
  const chosen = items.filter(() => random() < share);
  return chosen.length > 0 ? chosen : [pick(items)];
};

const LANGUAGES = ['ru', 'en', 'uk', 'kk', 'uz', 'de', 'es', 'pt-br'];
const COUNTRIES = ['RU', 'UA', 'KZ', 'UZ', 'BY', 'DE', 'US', 'GE', 'AM', 'TR'];
const CITIES = Array.from({ length: 60 }, (_, i) => `City ${i}`);
const DEVICES = ['smartphone', 'desktop', 'tablet'] as const;
const SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS'] as const;

/** The probability that an order uses each of its 21 filters. It decides how many orders match a user. */
const SELECTIVITY = { easy: 0.05, mid: 0.15, hard: 0.9 };

function randomFilters(share: number): Filters {
  const uses = (): boolean => random() < share;
  return {
    ...(uses() && { languages: some(LANGUAGES, 0.4) }),
    ...(uses() && { countries: some(COUNTRIES, 0.3) }),
    ...(uses() && { cities: some(CITIES, 0.1) }),
    ...(uses() && { age: { min: 18, max: 25 + Math.floor(random() * 40) } }),
    ...(uses() && { gender: pick(['male', 'female'] as const) }),
    ...(uses() && { account_age_years: { min: 2 + Math.floor(random() * 8) } }),
    ...(uses() && { device_types: some(DEVICES, 0.5) }),
    ...(uses() && { os: some(SYSTEMS, 0.5) }),
    ...(uses() && { premium: random() < 0.5 }),
    ...(uses() && { has_photo: random() < 0.8 }),
    ...(uses() && { real_photo: true }),
    ...(uses() && { has_name: true }),
    ...(uses() && { has_username: true }),
    ...(uses() && { has_bio: random() < 0.8 }),
    ...(uses() && { has_audio: true }),
    ...(uses() && { russian_name: random() < 0.8 }),
    ...(uses() && { cyrillic_name: true }),
    ...(uses() && { rating: { min: 1 + Math.floor(random() * 10) } }),
    ...(uses() && { gifts: { min: 1 + Math.floor(random() * 20) } }),
    ...(uses() && { chat_context: pick(['private', 'group'] as const) }),
    ...(uses() && { fresh_days: { max: 1 + Math.floor(random() * 60) } }),
  };
}

/** Returns a user with twelve known facts. */
function randomFacts(): Facts {
  return factsOf({
    languageCode: pick(LANGUAGES),
    isPremium: random() < 0.2,
    name: { hasCyrillic: true, isRussianName: random() < 0.7, gender: pick(['male', 'female'] as const) },
    hasUsername: true,
    chatContext: undefined,
    daysSinceFirstSeen: Math.floor(random() * 90),
    learned: {
      country: pick(COUNTRIES),
      device_type: pick(DEVICES),
      os: pick(SYSTEMS),
      account_age_years: Math.floor(random() * 10),
    },
  });
}

interface BenchOrder extends Ranked {
  readonly resourceId: number;
}

const rows: Record<string, string | number>[] = [];
const figures: Record<string, number> = {};
let isFastEnough = true;

const cases = SIZES.flatMap((size, i) =>
  Object.entries(SELECTIVITY).map(([name, share]) => ({ size, limitUs: LIMIT_US[i] ?? Number.NaN, name, share })),
);

for (const { size, limitUs, name, share } of cases) {
  console.error(`${size} orders, ${name} …`);
  const orders: BenchOrder[] = Array.from({ length: size }, (_, id) => ({
    id,
    resourceId: id,
    score: random() * 1000,
    filters: randomFilters(share),
  }));
  const ranked = [...orders].sort((a, b) => b.score - a.score || a.id - b.id);
  const users = Array.from({ length: USERS }, () => ({
    facts: randomFacts(),
    counted: new Set(Array.from({ length: 50 }, () => Math.floor(random() * size))),
  }));
  const buildStart = performance.now();
  const index = buildMatchIndex(orders);
  const buildMs = performance.now() - buildStart;

  const scan = (facts: Facts, counted: ReadonlySet<number>): BenchOrder[] => {
    const found: BenchOrder[] = [];
    for (const order of ranked) {
      if (found.length >= TOP) break;
      if (!counted.has(order.resourceId) && hiddenBy(order.filters, facts) === undefined) found.push(order);
    }
    return found;
  };
  for (const { facts, counted } of users) {
    const fast = index.match(facts, TOP, (order) => !counted.has(order.resourceId)).map(({ id }) => id);
    const slow = scan(facts, counted).map(({ id }) => id);
    if (fast.join() !== slow.join()) throw new Error('the index and the scan disagree');
  }

  const indexUs = median(
    time(() => users.forEach(({ facts, counted }) => void index.match(facts, TOP, (o) => !counted.has(o.resourceId)))),
  );
  const scanUs = median(time(() => users.forEach(({ facts, counted }) => void scan(facts, counted))));
  isFastEnough &&= indexUs <= limitUs;
  figures[`index_us_${size}_${name}`] = round(indexUs);
  figures[`scan_us_${size}_${name}`] = round(scanUs);
  rows.push({
    orders: size,
    selectivity: name,
    'index µs': round(indexUs),
    'at most': limitUs,
    'scan µs': round(scanUs),
    'scan / index': round(scanUs / indexUs),
    'build ms': round(buildMs),
  });
}

function time(work: () => void): number[] {
  return Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return ((performance.now() - start) * 1000) / USERS;
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

console.table(rows);
console.log(JSON.stringify({ name: 'matching', ok: isFastEnough, ...figures }));
if (!isFastEnough) process.exitCode = 1;
