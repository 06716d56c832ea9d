/**
 * Measures requests for tasks per second over HTTP, and compares them with a bare Fastify that accepts the same body
 * and returns the same response, in one run: repeat callers (bots call on every message), and the first call of a user.
 * `node bench/get-sponsors.ts`
 *
 * Each server has its own process. Short rounds alternate, and each is compared with the bare server's round of the
 * same turn, because the speed of a machine changes within seconds. Repeat callers have five open tasks. A first call
 * selects five of a thousand active orders. Candidates are not checked with Telegram: the budget of 25 calls per second
 * is used up at once, as it would be in production at this load.
 */
import { answerFor, serveBare } from './bare-server.ts';
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, cost, type Round } from './get-sponsors-load.ts';
import { sendLoad } from './load.ts';
import { median } from './random.ts';
import { onStage, progress, serveOurs } from './stage.ts';

const ROUNDS = 14;
const ORDERS = 1_000;
const REPEAT_USERS = 5_000;
const TARGETS = { repeat: 0.6, first: 0.25 };

let lastUser = 8_000_000_000;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else if (role === 'bare') await serveBare(argument);
else await measure();

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    const ours = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
    const ground = await makeGround(ours.url, stage.db);
    await addOrders(stage.db, ground, ORDERS);
    await reloadBook(stage.db, ORDERS);
    const users = Array.from({ length: REPEAT_USERS }, () => ++lastUser);
    progress(`giving ${REPEAT_USERS} users their tasks`);
    let given = 0;
    await sendLoad({
      url: ours.url,
      next: () => (given < users.length ? ask(ground, users[given++] ?? 0) : undefined),
      connections: CONNECTIONS,
      seconds: 60,
    });
    await stage.db.query('ANALYZE');
    const bare = await stage.start(import.meta.filename, 'bare', await answerFor(ours, ground, users[0] ?? 0));

    let turn = 0;
    const repeat = (): Buffer => ask(ground, users[turn++ % users.length] ?? 0);
    const first = (): Buffer => ask(ground, ++lastUser);
    const kinds = {
      repeat: { server: ours, next: repeat },
      first: { server: ours, next: first },
      bare: { server: bare, next: repeat },
    };
    const found: Record<keyof typeof kinds, Round[]> = { repeat: [], first: [], bare: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ['bare', 'repeat', 'first'] as const) {
        const result = await cost(kinds[name].server, kinds[name].next);
        if (round > 0) found[name].push(result); // the first round warms up
        progress(
          `${name}: ${Math.round(result.perSecond)}/s, ${Math.round(result.microseconds)} µs of the server's processor`,
        );
      }
    }
    print(found);
  });
}

function print(found: Record<'repeat' | 'first' | 'bare', Round[]>): void {
  const of = (rounds: Round[], key: keyof Round): number => median(rounds.map((round) => round[key]));
  const ratio = (rounds: Round[]): number =>
    Math.round(median(rounds.map((round, i) => round.perSecond / (found.bare[i]?.perSecond ?? 0))) * 1000) / 1000;
  console.log('requests for tasks per second over HTTP, medians\n');
  for (const [name, rounds] of Object.entries(found)) {
    const rate = Math.round(of(rounds, 'perSecond'));
    console.log(
      `${name.padEnd(8)} ${String(rate).padStart(7)}/s  ${of(rounds, 'microseconds').toFixed(0).padStart(5)} µs  p99 ${of(rounds, 'p99').toFixed(1)} ms  ${ratio(rounds)}`,
    );
  }
  const figures = { repeat: ratio(found.repeat), first: ratio(found.first) };
  console.log(`\n${JSON.stringify({ name: 'get-sponsors', ...figures, targets: TARGETS })}`);
  process.exitCode = figures.repeat >= TARGETS.repeat && figures.first >= TARGETS.first ? 0 : 1;
}
