const DAY = 24;
const ALL = Array.from({ length: DAY }, (_, hour) => hour);
const RANGE = /^\D{0,10}?(\d{1,2})(?::00)?\s*(?:-|–|—|до|to|till|until)\s*(\d{1,2})(?::00)?\D{0,10}$/i;

/**
 * Reads typed hours: `9-21`, `с 9 до 21`, `22:00 – 6:00`, `9-13, 18-22`. The end is exclusive. Returns null for the
 * whole day and undefined for unreadable text.
 */
export function readHours(text: string): number[] | null | undefined {
  const hours = new Set<number>();
  for (const part of text.split(/[,;\n]/)) {
    const match = RANGE.exec(part.trim());
    const [from, to] = [Number(match?.[1]), Number(match?.[2])];
    if (match === null || from >= DAY || to > DAY || from === to) return undefined;
    // A range may cross midnight.
    const length = (to - from + DAY) % DAY || DAY;
    for (let passed = 0; passed < length; passed++) hours.add((from + passed) % DAY);
  }
  return hours.size === DAY ? null : ALL.filter((hour) => hours.has(hour));
}

/** `9:00–21:00`, `22:00–6:00`, `9:00–13:00, 18:00–22:00`. */
export function describeHours(hours: readonly number[]): string {
  if (hours.length >= DAY) return '0:00–24:00';
  const isActive = (hour: number): boolean => hours.includes((hour + DAY) % DAY);
  const starts = ALL.filter((hour) => isActive(hour) && !isActive(hour - 1));
  return starts
    .map((start) => {
      let end = start;
      while (isActive(end)) end += 1;
      return `${start}:00–${end > DAY ? end - DAY : end}:00`;
    })
    .join(', ');
}
