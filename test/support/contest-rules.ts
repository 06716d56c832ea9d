/** Contest settings for tests: orders from ₽1 count, and prizes need no approval. */
export const CONTEST_RULES = { minimumPriceKopecks: 100n, needsApproval: false };
