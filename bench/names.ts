/**
 * `node bench/names.ts`: measures how often the reading of a first name is right, on the labelled list, and how long it
 * takes. `--errors` lists the misread entries of the tuned part. It does not list the held-out ones, so that the rules
 * are not tuned on them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Gender, readName } from '../src/modules/targeting/names.ts';

export interface LabelledName {
  readonly name: string;
  readonly gender: Gender | null;
  readonly russian: boolean;
}

/**
 * The numbers of right and wrong results, and of names that should get a result. "Unknown" and "not Russian" are not
 * results.
 */
export interface Score {
  readonly right: number;
  readonly wrong: number;
  readonly wanted: number;
  readonly precision: number;
  readonly coverage: number;
}

/**
 * Returns the list in two parts. The list is older than the rules. Every third entry is held out, so the selection is
 * not biased.
 */
export function readSample(): { tuned: readonly LabelledName[]; heldOut: readonly LabelledName[] } {
  const file = join(import.meta.dirname, 'names-sample.json');
  const sample = JSON.parse(readFileSync(file, 'utf8')) as readonly LabelledName[];
  const isHeldOut = (index: number) => index % 3 === 2;
  return {
    tuned: sample.filter((_, index) => !isHeldOut(index)),
    heldOut: sample.filter((_, index) => isHeldOut(index)),
  };
}

export function scoreGender(sample: readonly LabelledName[]): Score {
  return score(sample.map(({ name, gender }) => ({ wanted: gender ?? undefined, given: readName(name)?.gender })));
}

export function scoreRussian(sample: readonly LabelledName[]): Score {
  return score(
    sample.map(({ name, russian }) => ({
      wanted: russian || undefined,
      given: readName(name)?.isRussianName || undefined,
    })),
  );
}

function score(answers: readonly { wanted: unknown; given: unknown }[]): Score {
  const given = answers.filter((answer) => answer.given !== undefined);
  const right = given.filter((answer) => answer.given === answer.wanted).length;
  const wanted = answers.filter((answer) => answer.wanted !== undefined).length;
  return { right, wrong: given.length - right, wanted, precision: right / given.length, coverage: right / wanted };
}

function printScore(title: string, { right, wrong, wanted, precision, coverage }: Score): void {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${title.padEnd(26)} precision ${percent(precision)} (${wrong} wrong of ${right + wrong}), ` +
      `coverage ${percent(coverage)} (${right} of ${wanted})`,
  );
}

function printErrors(sample: readonly LabelledName[]): void {
  for (const { name, gender, russian } of sample) {
    const read = readName(name);
    const isRight = (read?.gender ?? null) === gender && (read?.isRussianName ?? false) === russian;
    if (!isRight) console.log(`  ${name}: wanted ${gender} ${russian}, got ${read?.gender} ${read?.isRussianName}`);
  }
}

function printSpeed(sample: readonly LabelledName[]): void {
  const rounds = 200;
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round++) for (const { name } of sample) readName(name);
  const microseconds = ((performance.now() - startedAt) * 1000) / (rounds * sample.length);
  console.log(`${microseconds.toFixed(1)} µs a name`);
}

if (import.meta.main) {
  const { tuned, heldOut } = readSample();
  const isTuning = process.argv.includes('--errors');
  if (isTuning) printErrors(tuned);
  for (const [part, sample] of Object.entries(isTuning ? { tuned } : { tuned, 'held out': heldOut })) {
    console.log(`${part}, ${sample.length} names`);
    printScore('  gender', scoreGender(sample));
    printScore('  Russian name', scoreRussian(sample));
  }
  printSpeed(tuned);
}
