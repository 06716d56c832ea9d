import { ConfigError, readConfig } from '../config.ts';
import { StartError } from '../core/errors.ts';

// Each command loads its code after it has read the settings, so that a wrong setting is reported at once.
const tokens = () => import('./manage-tokens.ts');
const checkers = () => import('./manage-checkers.ts');

interface Command {
  readonly usage: string;
  readonly about: string;
  run(args: readonly string[]): Promise<void>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    usage: 'start',
    about: 'run the service until it is told to stop; the default',
    async run() {
      const config = readConfig();
      const { start } = await import('../main.ts');
      await start(config);
    },
  },
  doctor: {
    usage: 'doctor',
    about: 'check settings, database, Telegram, clocks and books; exits 1 when something fails',
    run: async () => (await import('./doctor.ts')).doctor(),
  },
  'verify-ledger': {
    usage: 'verify-ledger',
    about: 'recompute every balance; exits 1 when something does not add up',
    async run() {
      const config = readConfig();
      const { verifyBooks } = await import('./verify-ledger.ts');
      await verifyBooks(config);
    },
  },
  'grant-beta': {
    usage: 'grant-beta <bot_username>',
    about: "open the beta endpoints to a bot's tokens",
    run: async (args) => (await tokens()).grant(readConfig(), args),
  },
  'revoke-beta': {
    usage: 'revoke-beta <bot_username>',
    about: 'close them again',
    run: async (args) => (await tokens()).revoke(readConfig(), args),
  },
  'rotate-token': {
    usage: 'rotate-token <bot_username>',
    about: 'give a bot a new API token; its old ones work 24 h more (--grace-hours=N, 0 to 168)',
    run: async (args) => (await tokens()).rotate(readConfig(), args),
  },
  'user-data': {
    usage: 'user-data <telegram_user_id>',
    about: 'print what is stored about a user; --delete deletes what no money depends on',
    async run(args) {
      const config = readConfig();
      const { manageUserData } = await import('./manage-user-data.ts');
      await manageUserData(config, args);
    },
  },
  checkers: {
    usage: 'checkers',
    about: 'list the checker bots with their state and load',
    run: async () => (await checkers()).list(readConfig()),
  },
  'add-checker': {
    usage: 'add-checker',
    about: 'add a checker bot, or give it a new token; reads the token from standard input',
    run: async (args) => (await checkers()).add(readConfig(), args),
  },
  'remove-checker': {
    usage: 'remove-checker <bot_username>',
    about: 'remove a checker bot; other bots take its channels over, or their orders pause',
    run: async (args) => (await checkers()).remove(readConfig(), args),
  },
  'partition-table': {
    usage: 'partition-table <table>',
    about: 'split a large table by user while the service works, into 16 partitions (--into=N, 2 to 64)',
    run: async (args) => (await import('./partition-table.ts')).partition(readConfig(), args),
  },
  help: { usage: 'help', about: 'show this', run: async () => console.log(help()) },
};

function help(): string {
  const commands = Object.values(COMMANDS);
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, about }) => `  ${usage.padEnd(width)}   ${about}`);
  return `Usage: sponsorgate [command]

${lines.join('\n')}

Settings come from the environment or from a file .env, as docs/guides/operator.md lists them. The commands work on
DATABASE_URL while the service runs, or on the embedded database of DATA_DIR while it does not; doctor on both.`;
}

const [first = 'start', ...args] = process.argv.slice(2);
const wantsHelp = [first, ...args].some((argument) => argument === '--help' || argument === '-h');
const name = wantsHelp ? 'help' : first;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;

try {
  if (command === undefined) {
    throw new ConfigError(`unknown command "${name}": use one of ${Object.keys(COMMANDS).join(', ')}`);
  }
  await command.run(args);
} catch (error) {
  // The operator can fix a StartError, so its message is enough. Any other error is a bug, and its stack helps.
  console.error(error instanceof StartError ? `sponsorgate: ${error.message}` : error);
  process.exitCode = 1;
  // Handles that the failure left open must not keep the process alive: a supervisor would never restart it.
  setTimeout(() => process.exit(), 5_000).unref();
}
