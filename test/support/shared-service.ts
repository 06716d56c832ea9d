import { atLaneEnd } from '../runner/at-lane-end.ts';
import { startTestService, type TestService } from './service.ts';

let shared: TestService | undefined;

/**
 * Returns the service that the test files of this process share. It has only the demo data, as after a start. A reset
 * costs less than a start, and the connections to PostgreSQL keep their plans.
 */
export async function takeSharedService(): Promise<TestService> {
  if (shared === undefined) {
    shared = await startTestService();
    atLaneEnd(shared.stop);
    return shared;
  }
  await shared.sandbox.control('POST', '/reset');
  shared.forgetLogs();
  return shared;
}
