import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The share of a core that a throttled process gets. `npm run test:slow` sets this variable. */
export const CPU_SHARE_VARIABLE = 'SPONSORGATE_TEST_CPU_SHARE';

const SHARE = Number(process.env[CPU_SHARE_VARIABLE] ?? 1);
const PERIOD_MS = 100;

/**
 * Limits the process to the share in the variable, or does nothing without the variable. Returns a function that ends
 * the limit.
 */
export function throttle(pid: number | undefined): () => void {
  if (SHARE >= 1 || pid === undefined) return () => undefined;
  return joinControlGroup(pid) ?? takeTurns(pid);
}

/** Limits the process with a Linux control group, where this user may create one. Version 1 has a folder for `cpu`. */
function joinControlGroup(pid: number): (() => void) | undefined {
  const root = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'].find((folder) => existsSync(join(folder, 'cgroup.procs')));
  if (root === undefined) return undefined;
  const group = join(root, `sponsorgate-test-${pid}`);
  const periodUs = PERIOD_MS * 1000;
  try {
    mkdirSync(group);
    if (existsSync(join(group, 'cpu.max'))) writeFileSync(join(group, 'cpu.max'), `${periodUs * SHARE} ${periodUs}`);
    else writeFileSync(join(group, 'cpu.cfs_quota_us'), String(periodUs * SHARE));
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  } catch {
    return undefined;
  }
  return () => {
    try {
      rmdirSync(group);
    } catch {
      // The process still runs. An empty group costs nothing.
    }
  };
}

/** Stops and continues the process alternately, as `cpulimit` does. */
function takeTurns(pid: number): () => void {
  const send = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
    try {
      process.kill(pid, signal);
    } catch {
      clearInterval(timer); // the process has ended
    }
  };
  const timer = setInterval(() => {
    send('SIGCONT');
    setTimeout(send, PERIOD_MS * SHARE, 'SIGSTOP').unref();
  }, PERIOD_MS).unref();
  return () => clearInterval(timer);
}
