import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './mutate.ts';
import type { Fate } from './run-mutant.ts';

/** A mutant with the path of its source. */
export interface Candidate extends Mutant {
  readonly file: string;
  /** Identifies the content of the file and the change. The key stays the same until the source changes. */
  readonly key: string;
}

export interface Result {
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly fate: Fate['fate'];
  readonly by?: string;
  readonly seconds: number;
}

export function candidateOf(file: string, source: string, mutant: Mutant): Candidate {
  const key = createHash('sha256')
    .update(JSON.stringify([file, source, mutant.start, mutant.end, mutant.replacement]))
    .digest('hex')
    .slice(0, 16);
  return { ...mutant, file, key };
}

/** Draws `size` of the candidates. The same seed draws the same ones, independent of the other candidates. */
export function sample(candidates: readonly Candidate[], size: number, seed: string): Candidate[] {
  const rank = ({ file, line, what, start }: Candidate): string =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, line, what, start]))
      .digest('hex');
  return candidates
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ candidate }) => candidate);
}

/** Stores results in a file, one per line, so that a stopped run can continue. The last result of a key counts. */
export function openResults(path: string): { readonly known: ReadonlyMap<string, Result>; add(result: Result): void } {
  mkdirSync(dirname(path), { recursive: true });
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  const known = new Map(
    lines.map((line) => {
      const result = JSON.parse(line) as Result;
      return [result.key, result];
    }),
  );
  return {
    known,
    add(result) {
      known.set(result.key, result);
      appendFileSync(path, `${JSON.stringify(result)}\n`);
    },
  };
}

/** Returns the report of one folder: the score, then the survivors. */
export function reportOf(folder: string, results: readonly Result[], mutants: number): string {
  const survivors = results.filter(({ fate }) => fate === 'survived');
  const hung = results.filter(({ fate }) => fate === 'hung').length;
  const score = results.length === 0 ? 100 : (100 * (results.length - survivors.length)) / results.length;
  return [
    `${folder}: ${score.toFixed(1)} % of ${results.length} mutants noticed (of ${mutants}); ${hung} hung, ${survivors.length} survived`,
    ...[...survivors]
      .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
      .map(({ file, line, what }) => `  ${file}:${line}  ${what}`),
  ].join('\n');
}
