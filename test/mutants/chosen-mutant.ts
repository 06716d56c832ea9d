import type { Change } from './change.ts';

/** The mutant as JSON. */
export const MUTANT_VARIABLE = 'SPONSORGATE_MUTANT';

export interface ChosenMutant extends Change {
  /** The path from the repository's root. */
  readonly file: string;
}
