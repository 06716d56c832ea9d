/**
 * Limits this process to a share of one core, as on a slower machine. When the process has used more than its share,
 * the whole process sleeps until its average is within the share. Other processes can use the core meanwhile.
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
    // Unused time does not carry over to the next interval.
    since = performance.now();
    before = process.cpuUsage();
  }, LOOK_MS);
}
