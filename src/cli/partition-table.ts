import { provideDatabase } from '../composition/provide-database.ts';
import { type Config, ConfigError } from '../config.ts';
import { PARTITIONABLE, partitionTable } from '../db/index.ts';

const DEFAULT_PARTITIONS = 16;

/** `sponsorgate partition-table`: splits a table by user while the service works. */
export async function partition(config: Config, args: readonly string[]): Promise<void> {
  const [table, ...more] = args.filter((argument) => !argument.startsWith('--'));
  const options = args.filter((argument) => argument.startsWith('--'));
  const into = options.map((option) => /^--into=(\d{1,3})$/.exec(option)?.[1]);
  if (table === undefined || more.length > 0 || into.includes(undefined)) {
    throw new ConfigError(`usage: sponsorgate partition-table <table> [--into=N]; tables: ${PARTITIONABLE.join(', ')}`);
  }
  const server = await provideDatabase(config, () => undefined);
  try {
    const count = Number(into[0] ?? DEFAULT_PARTITIONS);
    await partitionTable(server.url, { table, count, onProgress: (line) => console.log(line) });
  } finally {
    await server.stop();
  }
}
