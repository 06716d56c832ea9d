import { createHash } from 'node:crypto';

const BLOCK = Buffer.alloc(1024 * 1024);
const BLOCKS = 16;
/** How long hashing the blocks takes on the idle machine for which the limits in tests were chosen. */
const REFERENCE_MS = 14;

/**
 * Returns a time limit for the service, scaled by how much slower this machine is now than the one for which the limit
 * was chosen. `npm run test:slow` slows only the processes of the service, so it passes the factor in a variable.
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
