import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns, propertySeed } from '../support/property-runs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { addOrder, anyCommands, anySetup } from './commands.ts';
import { Model } from './model.ts';
import { RealWorld } from './real-world.ts';
import { DEPOSITS_KOPECKS } from './terms.ts';

/**
 * To replay a run or to search further:
 * `SPONSORGATE_PROPERTY_SEED=… SPONSORGATE_PROPERTY_RUNS=… npm test -- test/properties/task-flow.test.ts`.
 */
const seed = propertySeed;
const numRuns = propertyRuns(5, 100);

let service: TestService;
before(async () => {
  // The high limit lets the service check every candidate. Without a worker, due jobs run only when the clock is moved.
  service = await startTestService({ TELEGRAM_CHECKS_PER_SECOND: '1000', ROLES: 'api,bot' });
  await service.sandbox.pauseAllOrders();
});
after(() => service.stop());

test('tasks and money equal the model after any sequence of actions', async (t) => {
  t.diagnostic(`seed ${seed}, ${numRuns} runs`);
  await fc.assert(
    fc.asyncProperty(anySetup, anyCommands, async (setup, commands) => {
      const real = await RealWorld.open(service, setup);
      const bots = setup.roundMinutes.map((roundMinutes, owner) => ({ owner, roundMinutes }));
      const model = new Model(bots, DEPOSITS_KOPECKS);
      try {
        for (const terms of setup.orders) await addOrder(model, real, terms);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await real.assertBooks();
      } finally {
        await real.close();
      }
    }),
    {
      seed,
      numRuns,
    },
  );
});
