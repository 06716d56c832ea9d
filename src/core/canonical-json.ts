/**
 * One text for all JSON values that mean the same: the order of keys does not count, and neither does a field that is
 * `null`, which every endpoint reads like an absent one.
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
