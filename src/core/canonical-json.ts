/**
 * Returns the same text for all JSON values with the same meaning. It ignores the order of keys and leaves out fields
 * that are `null`, because every endpoint treats a `null` field like an absent one.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  const present = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(present.sort(([a], [b]) => (a < b ? -1 : 1)));
}
