/** Messages between the runner and its lanes over the channel between their processes. */

/** One test, one suite, or a whole file (`nesting` 0) ended. */
export interface TestEnded {
  readonly kind: 'test-ended';
  readonly name: string;
  readonly nesting: number;
  readonly isSuite: boolean;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  /** The position of the test as `path:line`. */
  readonly place: string;
  /** The error as text; only for a failed test. */
  readonly error?: string;
}

/** Work that a test started has failed after the test ended. */
interface Warned {
  readonly kind: 'warned';
  readonly text: string;
}

export type FromLane = TestEnded | Warned;

/** The file to run next; null when there are no more. */
export interface ToLane {
  readonly file: string | null;
}
