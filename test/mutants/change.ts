/** A part of a source that is replaced by another text; the places are offsets of UTF-16 units. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export function applyMutant(source: string, { start, end, replacement }: Change): string {
  return source.slice(0, start) + replacement + source.slice(end);
}
