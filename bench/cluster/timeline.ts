/** Records when each step of a failover happened, so that the report shows which program took the time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Haproxy } from './haproxy.ts';
import type { PatroniCluster } from './patroni.ts';

export interface TimeLine {
  /** Adds a step with its moment, by `performance.now()`. */
  add(step: string, at: number): void;
  /** Ends the record. Returns one line: the steps with the seconds since the fault. */
  end(): string;
}

/** Three programs are asked this often. The steps of a failover take longer. */
const POLL_MS = 100;

/** Starts a record at the moment of a fault. */
export function startTimeLine(cluster: PatroniCluster, haproxy: Haproxy): TimeLine {
  const begin = performance.now();
  const steps: { readonly step: string; readonly at: number }[] = [];
  let isOver = false;

  /** Adds a step whenever `read` returns another text than before. A read that fails changes nothing. */
  async function follow(read: () => Promise<string>, toStep: (now: string) => string): Promise<void> {
    let before: string | undefined;
    while (!isOver) {
      const now = await read().catch(() => before);
      if (before !== undefined && now !== undefined && now !== before && !isOver) {
        steps.push({ step: toStep(now), at: performance.now() });
      }
      before = now ?? before;
      await sleep(POLL_MS);
    }
  }

  const leaseHolder = async (): Promise<string> => (await cluster.leaseHolder()) ?? 'nobody';
  void follow(leaseHolder, (name) => (name === 'nobody' ? 'lease ended' : `lease of ${name}`));
  for (const node of cluster.nodes) {
    const isPrimary = async (): Promise<string> => String(await cluster.isPrimary(node));
    void follow(isPrimary, (now) => (now === 'true' ? `${node.name} is primary` : `${node.name} not primary`));
  }
  void follow(haproxy.usedPrimaries, (names) => `HAProxy uses ${names || 'none'}`);

  return {
    add: (step, at) => void steps.push({ step, at }),
    end() {
      isOver = true;
      const sorted = steps.toSorted((a, b) => a.at - b.at);
      return sorted.map(({ step, at }) => `${((at - begin) / 1_000).toFixed(1)} ${step}`).join(', ');
    },
  };
}
