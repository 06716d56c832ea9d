/**
 * `npm run campaign`: the fault campaign. It runs real processes under load, injects faults from a seed, and after
 * every round runs a checker that reads the database directly. docs/campaign.md describes it and how to replay it.
 */
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    'per-round': { type: 'string', default: '25' },
    workers: { type: 'string', default: '2' },
    visitors: { type: 'string', default: '20' },
    /** Runs only this round of the plan. */
    only: { type: 'string' },
    /** Prints a line for every fault. */
    verbose: { type: 'boolean', default: false },
  },
});

process.exitCode = await runCampaign({
  faults: number('faults', values.faults),
  seed: number('seed', values.seed),
  perRound: number('per-round', values['per-round']),
  workers: number('workers', values.workers),
  visitors: number('visitors', values.visitors),
  only: values.only === undefined ? undefined : number('only', values.only),
  isVerbose: values.verbose,
});

function number(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, not ${text}`);
}
