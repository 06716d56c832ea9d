/** Reads the processor time of other processes from /proc on Linux. On other systems there is no result. */
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
  // The process name in parentheses may contain any character, so the fields are counted after it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // Its own time in programs and in the kernel, and that of its children that have ended.
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  return { pid, parent: Number(fields[1]), microseconds: ticks * TICK_MICROSECONDS };
}

/** Returns the processor time of a process and its descendants, those that have ended included. */
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

/** Returns the postmaster of a PostgreSQL on this machine: the parent process of its backends. */
export async function postmasterOf(backendPid: number): Promise<number> {
  return (await look(backendPid))?.parent ?? 0;
}
