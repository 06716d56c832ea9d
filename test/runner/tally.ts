import type { TestEnded } from './messages.ts';

/** A failed test, with the details that a reader needs to find and repeat it. */
export interface Failure {
  readonly file: string;
  /** The names of the suites around the test, then its own. */
  readonly name: string;
  readonly place: string;
  readonly error: string;
}

/** The result of one test file. */
export interface FileResult {
  readonly file: string;
  readonly milliseconds: number;
  readonly passed: number;
  readonly skipped: readonly string[];
  readonly failures: readonly Failure[];
  /** The output of the file, buffered so that the output of several files does not mix. */
  readonly output: string;
}

/** Counts the results of one file. */
export interface Tally {
  add(test: TestEnded): void;
  /** Adds a failure that belongs to no test. */
  addFileFailure(error: string): void;
  result(output: string): FileResult;
}

/** The error of a suite whose tests failed. Node also reports those tests themselves. */
const SUBTESTS_FAILED = /^\d+ subtests? failed/;

export const WHOLE_FILE = '(the file itself)';

export function createTally(file: string): Tally {
  const begin = performance.now();
  let failures: (Failure & { nesting: number })[] = [];
  const skipped: string[] = [];
  let passed = 0;

  const fail = (name: string, place: string, error: string, nesting: number): void =>
    void failures.push({ file, name, place, error, nesting });

  return {
    add({ name, nesting, isSuite, outcome, place, error = '' }) {
      // A suite ends after its tests, so the names of the suites are added to a failed test one by one.
      if (isSuite && nesting > 0) failures = failures.map((failure) => within(failure, name, nesting));
      if (outcome === 'failed' && !(isSuite && SUBTESTS_FAILED.test(error))) {
        fail(nesting === 0 ? WHOLE_FILE : name, place, error, nesting);
      }
      if (isSuite) return;
      if (outcome === 'skipped') skipped.push(name);
      if (outcome === 'passed') passed += 1;
    },
    addFileFailure: (error) => fail(WHOLE_FILE, file, error, 0),
    result: (output) => ({ file, milliseconds: performance.now() - begin, passed, skipped, failures, output }),
  };
}

function within<T extends Failure & { nesting: number }>(failure: T, suite: string, nesting: number): T {
  return failure.nesting > nesting ? { ...failure, name: `${suite} › ${failure.name}`, nesting } : failure;
}
