import { after, before, beforeEach } from 'node:test';
import type { Sandbox } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Starts one service for the tests of a file. Each test starts without active orders and without faults. */
export function useService(settings: Readonly<Record<string, string>> = {}): Omit<TestService, 'stop'> {
  let started: TestService | undefined;
  const running = (): TestService => {
    if (started === undefined) throw new Error('the service is there only while a test runs');
    return started;
  };
  before(async () => {
    started = await startTestService(settings);
  });
  beforeEach(async () => {
    await running().sandbox.fault({ mode: 'none' });
    await running().sandbox.pauseAllOrders();
  });
  after(() => started?.stop());
  return {
    get url(): string {
      return running().url;
    },
    get database(): TestService['database'] {
      return running().database;
    },
    get sandbox(): Sandbox {
      return running().sandbox;
    },
    logs: () => running().logs(),
  };
}
