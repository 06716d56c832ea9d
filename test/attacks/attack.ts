import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRubles } from '../../src/core/money.ts';
import { startTestService, type TestService } from '../support/service.ts';

export type AttackedService = Omit<TestService, 'stop'>;

/**
 * Runs one attack against its own sandbox service and prints the loss of the honest side.
 *
 * `carryOut` acts as the attacker and returns the loss in kopecks: what the attacker gains, or an honest account loses,
 * against the rules. The test fails unless the loss is zero. The service starts without active orders and without
 * moderation. `settings` are added to those of `startTestService`.
 *
 * @example
 * attack('a left user is paid for', async ({ sandbox }) => {
 *   const { token } = await sandbox.publisher();
 *   …
 *   return BigInt(await sandbox.kopecks('available', publisher.accountId));
 * });
 */
export function attack(
  title: string,
  carryOut: (service: AttackedService) => Promise<bigint>,
  settings: Readonly<Record<string, string>> = {},
): void {
  test(title, async () => {
    const service = await startTestService({ ORDER_MODERATION: 'off', ...settings });
    try {
      await service.sandbox.pauseAllOrders();
      const lossKopecks = await carryOut(service);
      console.log(`${title}: loss ${formatRubles(lossKopecks)}`);
      assert.equal(lossKopecks, 0n, `the attack cost ${formatRubles(lossKopecks)}`);
      await service.sandbox.assertBalanced();
    } finally {
      await service.stop();
    }
  });
}
