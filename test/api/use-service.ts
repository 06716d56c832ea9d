import { after, before, beforeEach } from 'node:test';
import type { Sandbox } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { takeSharedService } from '../support/shared-service.ts';

type Settings = Readonly<Record<string, string>>;

/**
 * Provides a service with the demo data for the tests of a file. Files without settings share the service of their
 * process; with settings, even with `{}`, a file gets its own. A file that changes the schema, for example with
 * `keepNotices`, needs its own. Each test starts without active orders and faults.
 */
export function useService(settings?: Settings): Omit<TestService, 'stop' | 'forgetLogs'> {
  let started: TestService | undefined;
  const running = (): TestService => {
    if (started === undefined) throw new Error('the service is there only while a test runs');
    return started;
  };
  before(async () => {
    started = await (settings === undefined ? takeSharedService() : startTestService(settings));
  });
  beforeEach(async () => {
    await running().sandbox.fault({ mode: 'none' });
    await running().sandbox.pauseAllOrders();
  });
  after(() => (settings === undefined ? undefined : started?.stop()));
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
