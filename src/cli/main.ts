import { ConfigError, readConfig } from '../config.ts';
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
  // A wrong setting is the reader's to mend, in one line; anything else is ours, and its stack helps.
  console.error(error instanceof ConfigError ? `sponsorgate: ${error.message}` : error);
  process.exitCode = 1;
}
