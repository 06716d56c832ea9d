import assert from 'node:assert/strict';
import type { TestDatabase } from './database.ts';
import { killAll, type Settings, startProcess } from './process.ts';
import type { Sandbox } from './sandbox.ts';
import { startTestService } from './service.ts';

/** Services on one database: the first runs in the process of the tests, each other in its own process. */
export interface ServiceGroup {
  readonly database: TestDatabase;
  /** Returns the service for the n-th caller, from 0. Callers are spread evenly over the services. */
  reach(n: number): Sandbox;
  stop(): Promise<void>;
}

/** Starts one service for each of the settings, and pauses the orders of the demo data. */
export async function startServiceGroup(first: Settings = {}, ...others: readonly Settings[]): Promise<ServiceGroup> {
  const service = await startTestService(first);
  const { database } = service;
  const started = await Promise.all(
    others.map((settings) => startProcess({ DATABASE_URL: database.url, ...settings })),
  );
  const sandboxes = [service.sandbox, ...started.map(({ sandbox }) => sandbox)];
  await service.sandbox.pauseAllOrders();
  return {
    database,
    reach(n) {
      const sandbox = sandboxes[n % sandboxes.length];
      assert.ok(sandbox);
      return sandbox;
    },
    async stop() {
      await killAll();
      await service.stop();
    },
  };
}
