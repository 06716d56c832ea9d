import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CRYPTO_PAY_TOKEN, CryptoPayDouble } from '../support/crypto-pay-double.ts';
import { moveClock, tick } from '../support/workers.ts';
import { checkBooks, checkLeavers, type Known, untilCalm, type Violation } from './check.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { createInjector } from './inject.ts';
import { startLoad } from './load.ts';
import { createDraw, describeFault, type Fault, kindOf, planCampaign, type Round } from './plan.ts';
import { startCampaignReceiver } from './receiver.ts';
import { openStage } from './stage.ts';
import { confirm, join as joinChat, type Scene, showTasks } from './visitors.ts';
import { Witness } from './witness.ts';

export interface CampaignOptions {
  readonly faults: number;
  readonly seed: number;
  readonly perRound: number;
  readonly workers: number;
  readonly visitors: number;
  readonly only: number | undefined;
  readonly isVerbose: boolean;
}

/** Due work must be done this long after the last fault ends. */
const STUCK_MS = 60_000;
const DAY_SECONDS = 24 * 3600;
/** In every n-th round the campaign does not trigger the jobs, so that their schedule alone has to run them. */
const UNAIDED_EVERY = 5;

/** Returns the exit code: 0 when every invariant held, 1 otherwise. */
export async function runCampaign(options: CampaignOptions): Promise<number> {
  const { seed, only } = options;
  const rounds = planCampaign(options).filter((round) => only === undefined || round.number === only);
  say(`campaign: seed ${seed}, ${options.faults} faults in ${rounds.length} rounds, ${options.workers} workers`);
  say(`replay:   npm run campaign -- ${replayOf(options)}`);

  const begin = performance.now();
  const bank = await CryptoPayDouble.open();
  const receiver = await startCampaignReceiver();
  const witness = new Witness();
  const injected = new Map<string, number>();
  const cluster = await startCluster({
    workers: options.workers,
    log: (line) => options.isVerbose && say(`  ${line}`),
    settings: {
      CRYPTO_PAY_TOKEN,
      CRYPTO_PAY_API_ROOT: bank.url,
      PAYOUT_MINIMUM_RUBLES: '1',
      TELEGRAM_CHECKS_PER_SECOND: '500',
      DATABASE_POOL_SIZE: '5',
      SECRET_KEY: 'a key for the fault campaign and for nothing else',
    },
  });
  const stage = await openStage(cluster, bank, receiver.url);
  say(`started after ${seconds(performance.now() - begin)} s`);
  const scene: Scene = { cluster, stage, witness };
  const injector = createInjector(scene, bank, receiver);
  const known = (): Known => ({
    witness,
    bank,
    taken: receiver.taken,
    deserters: cluster.deserters,
    bought: new Map(stage.orders.map(({ orderId, quantity }) => [orderId, quantity])),
  });

  async function playRound(round: Round): Promise<Violation[]> {
    const draw = createDraw(seed + round.number);
    const watch = startWatch();
    await stage.openRound(draw);
    const load = startLoad(scene, { visitors: options.visitors, seed: draw.whole(1, 1_000_000_000) });
    for (const { fault, pauseMs } of round.faults) {
      if (options.isVerbose) say(`  ${describeFault(fault)}`);
      await injector.inject(fault);
      injected.set(kindOf(fault), (injected.get(kindOf(fault)) ?? 0) + 1);
      await sleep(pauseMs);
    }
    const faultsTook = watch();
    await load.stop();
    await injector.heal();
    const healTook = watch();
    const url = cluster.postgres.url();
    const wrong = await checkBooks(url, known());
    if (wrong.length > 0) return wrong;
    if (round.number % UNAIDED_EVERY !== 0) await tick(url, 'expire-tasks');
    const calm = await untilCalm(url, STUCK_MS);
    watch();
    const left = [...calm.violations, ...(await checkService(scene))];
    const serviceTook = watch();
    left.push(...(await checkBooks(url, known())));
    say(
      [
        `round ${round.number}: ${round.before + round.faults.length}/${options.faults} faults in ${faultsTook} s`,
        `${witness.acknowledged.size} confirms acknowledged`,
        `healed in ${healTook} s`,
        `calm after ${seconds(calm.milliseconds)} s${calm.last === undefined ? '' : ` (${calm.last})`}`,
        `served in ${serviceTook} s`,
        left.length === 0 ? 'every law holds' : 'VIOLATED',
        `${seconds(performance.now() - begin)} s`,
      ].join(' · '),
    );
    return left;
  }

  try {
    for (const round of rounds) {
      const violations = await playRound(round);
      if (violations.length > 0) return await accuse(options, round, violations, cluster);
    }
    const last = rounds.at(-1);
    if (last === undefined) return 0;
    const violations = await playOut(cluster, known());
    if (violations.length > 0) return await accuse(options, last, violations, cluster);
    report(witness, injected, await outcome(cluster), performance.now() - begin);
    return 0;
  } finally {
    await stage.close();
    await cluster.stop();
    await receiver.close();
    await bank.close();
  }
}

/** Lets the last windows end and the last retries run. Then nothing may be open, and no user who left may be paid. */
async function playOut(cluster: Cluster, known: Known): Promise<Violation[]> {
  const url = cluster.postgres.url();
  for (let day = 1; day <= 2; day++) {
    await moveClock(url, DAY_SECONDS);
    await tick(url, 'expire-tasks');
    const { violations } = await untilCalm(url, STUCK_MS);
    if (violations.length > 0) return violations;
  }
  return [...(await checkBooks(url, known)), ...(await checkLeavers(url, known.witness))];
}

/** Checks that every API process serves a new user from the first call to the credit. */
async function checkService(scene: Scene): Promise<Violation[]> {
  const evidence: string[] = [];
  await scene.stage.openBest();
  for (const api of scene.cluster.apis) {
    const bot = scene.stage.publishers[0];
    if (bot === undefined) continue;
    const deadline = performance.now() + STUCK_MS;
    let isServed = false;
    while (!isServed && performance.now() < deadline) {
      const userId = scene.stage.freshUser();
      const [task] = await showTasks(scene, api, bot, userId);
      if (task !== undefined) {
        await joinChat(api, userId, task, true);
        isServed = await confirm(scene, api, bot, userId, task);
      }
      if (!isServed) await sleep(500);
    }
    if (!isServed) evidence.push(`${api.name} counts nobody any more`);
  }
  return evidence.length === 0 ? [] : [{ law: 'the service comes back by itself', evidence }];
}

async function accuse(
  options: CampaignOptions,
  round: Round,
  violations: readonly Violation[],
  { members }: Cluster,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), `campaign-${options.seed}-`));
  for (const member of members) await writeFile(join(folder, `${member.name}.log`), member.logs());
  say('');
  say(`VIOLATED in round ${round.number}, seed ${options.seed}, after ${round.before} faults and these of the round:`);
  for (const { fault } of round.faults) say(`  ${describeFault(fault as Fault)}`);
  for (const { law, evidence } of violations) {
    say(`- ${law}`);
    for (const piece of evidence) say(`    ${typeof piece === 'string' ? piece : JSON.stringify(piece)}`);
  }
  say(`what the processes logged: ${folder}`);
  say(`replay: npm run campaign -- ${replayOf(options)}`);
  return 1;
}

async function outcome({ postgres }: Cluster): Promise<string> {
  const { query } = await import('../support/books.ts');
  const states = await query<{ state: string; count: number }>(
    postgres.url(),
    `SELECT state, count(*)::int AS count FROM all_tasks GROUP BY state
     UNION ALL SELECT 'event ' || state, count(*)::int FROM webhook_deliveries GROUP BY state
     UNION ALL SELECT 'payout ' || status, count(*)::int FROM payouts GROUP BY status ORDER BY 1`,
  );
  return states.map(({ state, count }) => `${state} ${count}`).join(', ');
}

function report(witness: Witness, injected: ReadonlyMap<string, number>, end: string, milliseconds: number): void {
  const total = [...injected.values()].reduce((sum, count) => sum + count, 0);
  say('');
  say(`every law held through ${total} faults in ${seconds(milliseconds)} s`);
  for (const [kind, count] of [...injected].sort(([a], [b]) => a.localeCompare(b))) say(`  ${kind}: ${count}`);
  const answers = [...witness.answers].sort(([a], [b]) => a - b);
  say(`answers: ${answers.map(([status, count]) => `${status === 0 ? 'none' : status} ${count}`).join(', ')}`);
  say(`confirms acknowledged: ${witness.acknowledged.size}; leaves: ${witness.left.length}`);
  say(`at the end: ${end}`);
}

const replayOf = ({ faults, seed, perRound, workers, visitors }: CampaignOptions): string =>
  `--faults ${faults} --seed ${seed} --per-round ${perRound} --workers ${workers} --visitors ${visitors}`;

/** Returns a function that returns the time since its last call. */
function startWatch(): () => string {
  let since = performance.now();
  return () => {
    const milliseconds = performance.now() - since;
    since = performance.now();
    return seconds(milliseconds);
  };
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
const say = (line: string): void => console.log(line);
