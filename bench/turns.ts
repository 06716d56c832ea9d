import { progress } from './stage.ts';

/** The results of one turn: with few and with many of the varied items. */
export interface Turn<Costs> {
  readonly few: Costs;
  readonly many: Costs;
}

/** Measures both alternately, because the speed of a machine changes within seconds. The first turn warms up. */
export async function inTurns<Costs>(
  { few, many }: Turn<() => Promise<Costs>>,
  { rounds, told }: { readonly rounds: number; readonly told: (costs: Costs) => string },
): Promise<Turn<Costs>[]> {
  const found: Turn<Costs>[] = [];
  for (let round = 0; round <= rounds; round++) {
    const costs = { few: await few(), many: await many() };
    if (round > 0) found.push(costs);
    progress(`round ${round} of ${rounds}: ${told(costs.few)} with few, ${told(costs.many)} with many`);
  }
  return found;
}
