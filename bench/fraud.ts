/**
 * Plays a market with honest and dishonest publishers through the use cases of the service, and measures how much
 * fraudulent money is stopped before payout and how much honest money is delayed. `npm run bench -- fraud`, or
 * `node bench/fraud.ts --scale 0.1` for a smaller market, `--seed 7` for another one.
 *
 * The figures of the market stand in fraud/parameters.ts. docs/fraud-figures.md explains the results.
 */
import { parseArgs } from 'node:util';
import { migrate, serviceMigrations } from '../src/db/index.ts';
import { sandboxMigrations } from '../src/sandbox/index.ts';
import { planFirstMarket, START } from './fraud/first-market.ts';
import { measure } from './fraud/measure.ts';
import { GOALS, SEED } from './fraud/parameters.ts';
import { goalLines, printKinds } from './fraud/print.ts';
import { runMarket } from './fraud/run-market.ts';
import { openWorld } from './fraud/world.ts';
import { onStage, progress } from './stage.ts';

const { values } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, seed: { type: 'string', default: String(SEED) } },
});
const scale = Number(values.scale);
const seed = Number(values.seed);
if (!(scale > 0 && scale <= 1)) throw new Error('--scale is a number above 0 and at most 1');
if (!Number.isSafeInteger(seed)) throw new Error('--seed is a whole number');

await onStage(
  async ({ db, databaseUrl }) => {
    await migrate(databaseUrl, [sandboxMigrations, serviceMigrations]);
    const begin = performance.now();
    const seconds = (): number => Math.round((performance.now() - begin) / 1000);
    const plan = planFirstMarket(scale, seed);
    const world = await openWorld(db, plan, START);
    progress(`${world.bots.length} bots, ${plan.advertisers.length} advertisers, ${seconds()} s`);
    const chronicle = await runMarket(world, plan, {
      start: START,
      onDay: (day, { visits, payouts }) =>
        progress(`day ${day}: ${visits} visits, ${payouts.length} payouts requested, ${seconds()} s`),
    });
    const figures = await measure(world, chronicle);
    printKinds(figures);
    const goals = goalLines(figures, GOALS);
    for (const { text, isReached } of goals) console.log(`${isReached ? '✔' : '✗'} ${text}`);
    const jobs = [...world.jobMs].map(([job, ms]) => `${job} ${Math.round(ms / 1000)} s`).join(', ');
    console.log(`${chronicle.visits} visits, ${seconds()} s, of these: ${jobs}`);
    const isReached = goals.every((goal) => goal.isReached);
    const { stopped, stoppedCareful, honestDelayed, honestWronged, honestBelow } = figures;
    console.log(
      `\n${JSON.stringify({ name: 'fraud', stopped, stoppedCareful, honestDelayed, honestWronged, honestBelow, isReached })}`,
    );
    process.exitCode = isReached ? 0 : 1;
  },
  { durable: false },
);
