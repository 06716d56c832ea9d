/** How much the service trusts a source. `new`: too few subscriptions for a score. */
export type QualityLevel = 'new' | 'good' | 'watched' | 'low';

/** Why a source lost points. A text of `src/texts/quality.ts` explains each code with its figures. */
export interface QualityReason {
  readonly code: string;
  readonly points: number;
  readonly figures: Readonly<Record<string, number>>;
}

export interface SourceQuality {
  readonly botId: number;
  readonly score: number | null;
  /** The level that applies: an operator's, if there is one. */
  readonly level: QualityLevel;
  /** At most three, the strongest first. */
  readonly reasons: readonly QualityReason[];
  /** Why an operator set the level; null when the score decides. */
  readonly overrideReason: string | null;
}

/** What the level of a source changes on the path of a request. */
export interface SourceLimits {
  readonly score: number | null;
  readonly level: QualityLevel;
  /** The least hold of a subscription from this source; 0 leaves the hold to the order. */
  readonly holdSeconds: number;
  /** Whether a leave within the longer hold reverses the reward. Otherwise only one within the order's own window does. */
  readonly extendsWindow: boolean;
  /** The percent of an order that this source may fill; null means no cap. */
  readonly orderShare: number | null;
}

/** The settings of scoring and of what follows from a level. */
export interface QualitySettings {
  /** Off: there are no scores, and every source counts as new without limits. */
  readonly isOn: boolean;
  readonly watchedBelow: number;
  readonly lowBelow: number;
  /** A source with fewer counted subscriptions in 30 days has no score. */
  readonly minSubscriptions: number;
  readonly newHoldSeconds: number;
  readonly watchedHoldSeconds: number;
  readonly lowHoldSeconds: number;
  /** The percent of an order that one low source may fill. */
  readonly lowOrderSharePercent: number;
  /** The percent of settled subscriptions of watched and low sources that is checked again after the window. */
  readonly samplePercent: number;
}

/** How many subscriptions of one user, and users of one device, are counted. 0 means no limit. */
export interface UserLimits {
  readonly perHour: number;
  readonly perDay: number;
  readonly usersPerDevice: number;
  /** Whether users over a limit see no new tasks. */
  readonly hidesTasks: boolean;
}

/** A source must exceed the limit of a better level by this much, so that it does not change its level every hour. */
const CLIMB = 5;

/** Returns the level of a score. `before` is the level that the source had. */
export function levelOf(
  score: number | null,
  { lowBelow, watchedBelow }: QualitySettings,
  before: QualityLevel = 'new',
): QualityLevel {
  if (score === null) return 'new';
  const isLow = before === 'low';
  if (score < lowBelow + (isLow ? CLIMB : 0)) return 'low';
  return score < watchedBelow + (isLow || before === 'watched' ? CLIMB : 0) ? 'watched' : 'good';
}

/** Returns what a level changes. A good source, and every source while scoring is off, has no limits. */
export function limitsOf(
  { score, level }: { readonly score: number | null; readonly level: QualityLevel },
  settings: QualitySettings,
): SourceLimits {
  const { isOn, newHoldSeconds, watchedHoldSeconds, lowHoldSeconds, lowOrderSharePercent } = settings;
  if (!isOn) return { score: null, level: 'new', holdSeconds: 0, extendsWindow: false, orderShare: null };
  const holdSeconds = { new: newHoldSeconds, good: 0, watched: watchedHoldSeconds, low: lowHoldSeconds }[level];
  const isCapped = level === 'low' && lowOrderSharePercent < 100;
  return {
    score,
    level,
    holdSeconds,
    extendsWindow: level === 'low',
    orderShare: isCapped ? lowOrderSharePercent : null,
  };
}

/** Whether the owner of a source notices the change of its level: in the hold, in the window or in the cap. */
export function changesLimits(from: QualityLevel, to: QualityLevel, settings: QualitySettings): boolean {
  const noticed = (level: QualityLevel): string => {
    const { holdSeconds, extendsWindow, orderShare } = limitsOf({ score: null, level }, settings);
    return JSON.stringify([holdSeconds, extendsWindow && holdSeconds > 0, orderShare]);
  };
  return noticed(from) !== noticed(to);
}

/** Returns how many subscribers of an order a capped source may bring. */
export function capOf(quantity: number, orderShare: number): number {
  return Math.floor((quantity * orderShare) / 100);
}
