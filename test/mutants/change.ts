/** A range of a source and its replacement. The offsets count UTF-16 units. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export function applyMutant(source: string, { start, end, replacement }: Change): string {
  return source.slice(0, start) + replacement + source.slice(end);
}
