import { createHash } from 'node:crypto';

const BLOCK = Buffer.alloc(1024 * 1024);
const BLOCKS = 16;
/** What hashing the blocks takes on the quiet machine on which the limits in tests were chosen. */
const REFERENCE_MS = 14;

/**
 * Returns a limit on how long the service may take, made longer by as much as this machine is slower now than the one on
 * which the limit was chosen. `npm run test:slow`, which slows only the service's processes, says so by a variable.
 */
export function scaledLimitMs(milliseconds: number): number {
  return milliseconds * Math.max(1, measureSlowness(), Number(process.env.SPONSORGATE_TEST_SLOWNESS ?? 1));
}

function measureSlowness(): number {
  const begin = performance.now();
  const hash = createHash('sha256');
  for (let block = 0; block < BLOCKS; block++) hash.update(BLOCK);
  hash.digest();
  return (performance.now() - begin) / REFERENCE_MS;
}
