/** Loaded before the tests. Replaces one source file by its mutant, in this process and in its child processes. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyMutant } from './change.ts';
import { type ChosenMutant, MUTANT_VARIABLE } from './chosen-mutant.ts';

const { file, ...change } = JSON.parse(process.env[MUTANT_VARIABLE] ?? '{}') as ChosenMutant;
const path = join(import.meta.dirname, '../..', file);
const { href } = pathToFileURL(path);

registerHooks({
  load(url, context, nextLoad) {
    if (url !== href) return nextLoad(url, context);
    return { format: 'module-typescript', source: applyMutant(readFileSync(path, 'utf8'), change), shortCircuit: true };
  },
});
