import { DAY_MS } from '../../core/clock.ts';

/** Telegram assigns user ids roughly in ascending order, so an id tells the approximate date of registration. */
export interface AccountAge {
  readonly years: number;
  /** The likely error of `years`, in either direction. */
  readonly errorYears: number;
}

const YEAR_MS = 365.25 * DAY_MS;
const MILLION = 1_000_000;

/**
 * Ids in millions, the month in which accounts got them, and the error in months. Rounded from published registration
 * dates; see docs/smart-links.md. Late in 2021 Telegram switched to wider ids, which begin at five billion. Almost no
 * account has an id in the gap before.
 */
const POINTS: readonly (readonly [millions: number, month: string, errorMonths: number])[] = [
  [0, '2013-08', 2],
  [3, '2013-11', 2],
  [10, '2014-01', 2],
  [25, '2014-03', 2],
  [45, '2014-05', 3],
  [60, '2014-10', 3],
  [100, '2015-03', 3],
  [130, '2015-09', 3],
  [160, '2015-12', 3],
  [180, '2016-04', 3],
  [220, '2016-06', 3],
  [280, '2016-10', 3],
  [330, '2017-02', 3],
  [370, '2017-04', 3],
  [400, '2017-08', 3],
  [600, '2018-06', 6],
  [730, '2018-12', 6],
  [800, '2019-05', 6],
  [1_000, '2020-01', 6],
  [1_300, '2020-08', 6],
  [1_500, '2020-12', 6],
  [1_700, '2021-04', 6],
  [2_000, '2021-10', 6],
  [2_150, '2021-11', 4],
  [5_000, '2021-12', 4],
  [5_300, '2022-02', 4],
  [5_500, '2022-06', 4],
  [5_700, '2022-09', 4],
  [5_950, '2022-12', 4],
  [6_300, '2023-05', 4],
  [6_550, '2023-08', 4],
  [6_950, '2024-01', 4],
  [7_400, '2024-07', 4],
  [7_800, '2024-10', 4],
  [8_150, '2025-03', 4],
  [8_400, '2025-09', 4],
  [8_550, '2025-11', 4],
];

const KNOWN = POINTS.map(([millions, month, errorMonths]) => ({
  id: millions * MILLION,
  joinedMs: Date.parse(`${month}-01T00:00:00Z`),
  errorYears: errorMonths / 12,
}));

/** The recent number of ids per year, for accounts that are newer than the last known point. */
const RECENT_IDS_PER_YEAR = 550 * MILLION;

export function estimateAccountAge(userId: number, now: Date): AccountAge {
  const { joinedMs, errorYears } = estimateJoined(userId);
  // A date in the future is an error of the estimate, so the age is at least zero.
  const years = Math.max(0, (now.getTime() - joinedMs) / YEAR_MS);
  return { years: Math.floor(years * 10) / 10, errorYears: Math.ceil(errorYears * 10) / 10 };
}

function estimateJoined(userId: number): { joinedMs: number; errorYears: number } {
  const after = KNOWN.findIndex(({ id }) => id > userId);
  const right = KNOWN[after];
  const left = right === undefined ? KNOWN.at(-1) : KNOWN[after - 1];
  if (left === undefined) throw new Error(`user ids are positive, ${userId} is not`);
  if (right === undefined) {
    const yearsBeyond = (userId - left.id) / RECENT_IDS_PER_YEAR;
    // The pace has doubled and halved within a year before.
    return { joinedMs: left.joinedMs + yearsBeyond * YEAR_MS, errorYears: left.errorYears + yearsBeyond / 2 };
  }
  const share = (userId - left.id) / (right.id - left.id);
  return {
    joinedMs: left.joinedMs + share * (right.joinedMs - left.joinedMs),
    errorYears: Math.max(left.errorYears, right.errorYears),
  };
}
