import type { BatcherOf } from '../../../core/batcher.ts';
import { assert } from '../../../core/errors.ts';
import type { Bot } from '../../bots/index.ts';
import type { ShownTask } from '../task.ts';
import { type ChooseDeps, chooseOrders } from './choose-orders.ts';
import { type DescribeDeps, describeTasks, type TaskWithOrder } from './describe-tasks.ts';
import type { placeTasks } from './place-tasks.ts';
import type { Placement } from './placement.ts';
import { type TaskAction, type TaskRequest, unchangedTasks } from './plan-tasks.ts';
import { type readShowFacts, tasksIn } from './show-store.ts';
import type { TaskCache } from './task-cache.ts';
import type { SentProfile } from './user-profile.ts';

export interface GetSponsorsDeps extends ChooseDeps, DescribeDeps {
  readonly cache: TaskCache;
  readonly reads: BatcherOf<typeof readShowFacts>;
  readonly placements: BatcherOf<typeof placeTasks>;
  readonly reservationSeconds: number;
}

export interface GetSponsorsInput extends SentProfile {
  readonly bot: Bot;
  readonly action: TaskAction;
  readonly max: number;
}

/** Simultaneous requests of one user change the list under each other; each change lets one of them finish. */
const MAX_ATTEMPTS = 20;

/** Returns the tasks that a user has to do in a bot now. None means that the user may proceed. */
export async function getSponsors(deps: GetSponsorsDeps, input: GetSponsorsInput): Promise<readonly TaskWithOrder[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const tasks = await tryGetSponsors(deps, input);
    if (tasks !== 'outdated') return tasks;
  }
  throw new Error(`the tasks of user ${input.userId} in bot ${input.bot.id} changed ${MAX_ATTEMPTS} times while read`);
}

/** Returns `outdated` when the list changed between the read and the write. */
async function tryGetSponsors(
  deps: GetSponsorsDeps,
  input: GetSponsorsInput,
): Promise<readonly TaskWithOrder[] | 'outdated'> {
  const { bot, userId } = input;
  const request = toRequest(deps, input);
  // The links of a bot that collects profiles depend on more than the list, so its tasks are not cached.
  const cached = bot.collectsProfiles ? undefined : deps.cache.get(request);
  const query = { userId, botId: bot.id, now: request.now };
  const isLikelyNew = input.action !== 'subscribe' || !deps.cache.has(userId);
  const facts = await deps.reads.submit({ ...query, cachedVersion: cached?.version, withRecord: isLikelyNew });
  const { list } = facts;
  if (list === undefined) {
    assert(cached !== undefined, 'only a cached list may be skipped');
    return cached.tasks;
  }
  if (list.isBanned) return [];

  const state = { round: list.round, tasks: tasksIn(list) };
  const unchanged = unchangedTasks(request, state);
  if (unchanged !== undefined) {
    const tasks = await describeTasks(deps, bot, unchanged);
    if (!bot.collectsProfiles) deps.cache.set(list, request, tasks);
    return tasks;
  }
  const record =
    facts.record ?? (await deps.reads.submit({ ...query, cachedVersion: list.version, withRecord: true })).record;
  assert(record !== undefined, 'the record was asked for');
  const chosen = await chooseOrders(deps, input, { request, state, record });
  const tasks = await placeChosen(deps, { request, packedTasks: list.packedTasks, ...chosen });
  return tasks === 'outdated' ? tasks : describeTasks(deps, bot, tasks);
}

function toRequest(deps: GetSponsorsDeps, { bot, userId, action, max }: GetSponsorsInput): TaskRequest {
  const { roundSeconds, accountId } = bot;
  const { reservationSeconds } = deps;
  return { userId, botId: bot.id, accountId, action, max, roundSeconds, reservationSeconds, now: deps.clock.now() };
}

async function placeChosen(deps: GetSponsorsDeps, placement: Placement): Promise<readonly ShownTask[] | 'outdated'> {
  const placed = await deps.placements.submit(placement);
  if (placed.kind === 'outdated') return 'outdated';
  for (const orderId of placed.fullOrders) deps.book.markFull(orderId);
  return placed.tasks;
}
