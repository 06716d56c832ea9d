/** Property tests start from this seed, unless `SPONSORGATE_PROPERTY_SEED` names another to search further. */
export const propertySeed = Number(process.env.SPONSORGATE_PROPERTY_SEED ?? 20_261_115);

/** `npm run test:fuzz` runs a property this many times as often as `npm test`, unless the property says otherwise. */
const FUZZ_FACTOR = 5;

/** Returns how often to run a property: `SPONSORGATE_PROPERTY_RUNS` when it is set, else a number for the command. */
export function propertyRuns(inNpmTest: number, inFuzz = inNpmTest * FUZZ_FACTOR): number {
  const { SPONSORGATE_PROPERTY_RUNS: given, SPONSORGATE_TEST_SUITE: suite } = process.env;
  if (given !== undefined) return Number(given);
  return suite === 'fuzz' ? inFuzz : inNpmTest;
}
