/** Holds the share of a core that a throttled process gets; `npm run test:slow` sets it. */
export const CPU_SHARE_VARIABLE = 'SPONSORGATE_TEST_CPU_SHARE';

const SHARE = Number(process.env[CPU_SHARE_VARIABLE] ?? 1);
const PERIOD_MS = 100;

/** Stops and continues the process in turns, as `cpulimit` does. Returns a function that ends the turns. Does nothing without the variable. */
export function throttle(pid: number | undefined): () => void {
  if (SHARE >= 1 || pid === undefined) return () => undefined;
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
