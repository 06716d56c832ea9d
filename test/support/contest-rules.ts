/** Contests of tests: orders from 1 ₽ count, and prizes wait for nobody. */
export const CONTEST_RULES = { minimumPriceKopecks: 100n, needsApproval: false };
