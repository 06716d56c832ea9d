import { ConfigError, readConfig } from '../config.ts';
import { StartError } from '../core/errors.ts';
import { start } from '../main.ts';
import { verifyBooks } from './verify-ledger.ts';

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  start: () => start(readConfig()),
  'verify-ledger': () => verifyBooks(readConfig()),
};

const name = process.argv[2] ?? 'start';
const command = COMMANDS[name];

try {
  if (command === undefined) {
    throw new ConfigError(`unknown command "${name}": use one of ${Object.keys(COMMANDS).join(', ')}`);
  }
  await command();
} catch (error) {
  // What the reader can mend is said in one line; anything else is ours to mend, and its stack helps.
  console.error(error instanceof StartError ? `sponsorgate: ${error.message}` : error);
  process.exitCode = 1;
}
