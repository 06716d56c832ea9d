/** Processor time of other processes, read where Linux shows it; elsewhere nothing is known. */
import { readdir, readFile } from 'node:fs/promises';

const TICK_MICROSECONDS = 10_000; // USER_HZ is 100 on every Linux that Node runs on

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly microseconds: number;
}

async function look(pid: number): Promise<Seen | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  // The name in parentheses may hold anything; the fields are counted from behind it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { pid, parent: Number(fields[1]), microseconds: ticks * TICK_MICROSECONDS };
}

/** What a process and those that it started have used, for those that are alive. */
export async function processorOfTree(root: number): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 0);
  const seen = (await Promise.all(pids.map(look))).filter((one) => one !== undefined);
  const family = new Set([root]);
  for (let grown = true; grown; ) {
    const more = seen.filter(({ pid, parent }) => family.has(parent) && !family.has(pid));
    for (const { pid } of more) family.add(pid);
    grown = more.length > 0;
  }
  return seen.filter(({ pid }) => family.has(pid)).reduce((sum, { microseconds }) => sum + microseconds, 0);
}

/** The first process of a PostgreSQL on this machine, which its backends have as their parent. */
export async function postmasterOf(backendPid: number): Promise<number> {
  return (await look(backendPid))?.parent ?? 0;
}
