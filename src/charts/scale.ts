/** Returns the labelled values of an axis: round, evenly spaced, including zero. The first and the last are its ends. */
export function ticksFor(values: readonly number[], { isWhole }: { readonly isWhole: boolean }): readonly number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return [0, 1];
  const step = roundStep((high - low) / WANTED_STEPS, isWhole);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  // Multiplication avoids the rounding errors that adding up tenths accumulates.
  return Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step));
}

const WANTED_STEPS = 5;

/** Returns the smallest of 1, 2, 5, 10, 20, 50… that is large enough. */
function roundStep(least: number, isWhole: boolean): number {
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= least * 0.999_999);
  const found = step ?? 10 * magnitude;
  return isWhole ? Math.max(1, Math.round(found)) : found;
}

const tidy = (value: number): number => Number(value.toPrecision(12)) + 0;

/** Returns the position of a value on an axis from `bottom` up to `top`, in picture units. */
export function positionOf(value: number, ticks: readonly number[], bottom: number, top: number): number {
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  return bottom - ((value - low) / (high - low)) * (bottom - top);
}
