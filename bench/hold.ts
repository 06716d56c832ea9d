/**
 * Holds this process to a share of one core, as on a machine that is so much slower: whenever it has used more than its
 * share it sleeps, all of it, until it has not. Other processes have the core meanwhile.
 */
const LOOK_MS = 4;

export function holdTo(share: number): void {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  let since = performance.now();
  let before = process.cpuUsage();
  setInterval(() => {
    const used = process.cpuUsage(before);
    const dueMs = (used.user + used.system) / 1000 / share;
    const aheadMs = dueMs - (performance.now() - since);
    if (aheadMs > 0) Atomics.wait(sleeping, 0, 0, aheadMs);
    // What was not used is not saved up.
    since = performance.now();
    before = process.cpuUsage();
  }, LOOK_MS);
}
