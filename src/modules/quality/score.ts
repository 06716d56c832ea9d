import type { SourceFigures } from './figures.ts';
import type { Market } from './market.ts';
import type { QualityReason } from './quality.ts';
import { type Rule, STRONG_RULES, WEAK_RULES } from './rules.ts';

/** The codes of all reasons, for the texts. */
export const REASON_CODES: readonly string[] = [...Object.keys(STRONG_RULES), ...Object.keys(WEAK_RULES)];

/** The weak reasons together cost at most this much: several of them make a source watched, never low. */
const MOST_WEAK_POINTS = 45;

export interface Score {
  readonly score: number;
  /** All reasons that cost points, the strongest first. */
  readonly reasons: readonly QualityReason[];
}

/** Returns 100 minus the points of every rule for which the figures are evidence, and the reasons. */
export function scoreSource(figures: SourceFigures, market: Market): Score {
  const strong = apply(STRONG_RULES, figures, market);
  const weak = apply(WEAK_RULES, figures, market);
  const score = Math.max(0, 100 - sum(strong) - Math.min(MOST_WEAK_POINTS, sum(weak)));
  return { score, reasons: [...strong, ...weak].sort((a, b) => b.points - a.points) };
}

/** Returns the reasons that cost points. */
function apply(rules: Readonly<Record<string, Rule>>, figures: SourceFigures, market: Market): QualityReason[] {
  return Object.entries(rules)
    .map(([code, rule]) => ({ code, ...rule(figures, market) }))
    .filter(({ points }) => points > 0);
}

function sum(reasons: readonly QualityReason[]): number {
  return reasons.reduce((total, { points }) => total + points, 0);
}
