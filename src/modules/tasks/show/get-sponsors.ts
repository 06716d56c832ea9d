import type { Batcher } from '../../../core/batcher.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { assert } from '../../../core/errors.ts';
import type { Secrets } from '../../../core/secrets.ts';
import { readUsers, recordMemberships } from '../../audience/index.ts';
import type { Bot } from '../../bots/index.ts';
import { isExternal, type Order, type OrderBook, type Resource } from '../../orders/index.ts';
import { chargeForKnown, type Facts, factsOf, type UnknownCharge } from '../../targeting/index.ts';
import type { AccessWatch } from '../access/lost-access.ts';
import { clickIdOf } from '../click-id.ts';
import type { MembershipChecker } from '../membership.ts';
import { isDone, isOpen, type ShownTask } from '../task.ts';
import { tasksIn } from '../task-list-store.ts';
import type { SponsorTask } from './describe-tasks.ts';
import { type Asking, barrierFor } from './eligibility.ts';
import type { Placed, Placement, UserCharge } from './place-tasks.ts';
import { answerAsIs, type RoundState, type TaskAction, type TaskRequest } from './plan-tasks.ts';
import type { Asker, AskerKey, Known, Question } from './show-store.ts';
import type { RememberedAnswers } from './task-cache.ts';
import { knownUser, type SentFacts, type SentProfile, sentFacts } from './user-profile.ts';

export interface GetSponsorsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
  readonly access: AccessWatch;
  readonly known: Batcher<Question, Known>;
  readonly answers: RememberedAnswers;
  readonly askers: Batcher<AskerKey, Asker>;
  readonly placements: Batcher<Placement, Placed>;
  readonly reservationSeconds: number;
  /** How long a request may wait for Telegram to say that a user is a member already. */
  readonly candidateCheckMs: number;
  readonly secrets: Secrets;
  readonly unknownCharge: UnknownCharge;
  /** The way to an order's resource through a smart link that is for one user alone. */
  readonly personalLink: (task: { orderId: number; userId: number }) => string;
}

export interface GetSponsorsInput extends SentProfile {
  readonly bot: Bot;
  readonly action: TaskAction;
  readonly max: number;
}

/** Candidates beyond those asked for, to stand in for orders that fill up before the showing is written. */
const SPARE_CANDIDATES = 4;

/** Requests of one user at the same moment change the list under each other's hands; each change lets one of them through. */
const MAX_ATTEMPTS = 20;

/** The tasks a user has to do in a bot now; none means that the user may proceed. */
export async function getSponsors(deps: GetSponsorsDeps, input: GetSponsorsInput): Promise<readonly SponsorTask[]> {
  const { bot, userId, action, max } = input;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const now = deps.clock.now();
    const request: TaskRequest = {
      userId,
      botId: bot.id,
      accountId: bot.accountId,
      action,
      max,
      roundSeconds: bot.roundSeconds,
      reservationSeconds: deps.reservationSeconds,
      now,
    };
    // One kept before the bot began to collect profiles has no link of ours in it.
    const answer = bot.collectsProfiles ? undefined : deps.answers.recall(request);
    const isExpectedNew = action !== 'subscribe' || !deps.answers.has(userId);
    const { list, asker } = await deps.known.submit({
      userId,
      botId: bot.id,
      now,
      remembered: answer?.version,
      isExpectedNew,
    });
    if (list === undefined) {
      assert(answer !== undefined, 'a list that is not remembered is read');
      return answer.tasks;
    }
    if (list.isBanned) return [];

    const state = { round: list.round, tasks: tasksIn(list) };
    const asIs = answerAsIs(request, state);
    if (asIs !== undefined) {
      const tasks = await describe(deps, input, asIs);
      // Through which link a task of an unknown user goes depends on more than the list.
      if (!bot.collectsProfiles) deps.answers.keep(list, request, tasks);
      return tasks;
    }
    const placed = await placeNew(deps, input, { request, state, written: list.written, asker });
    if (placed !== 'outdated') return describe(deps, input, placed);
  }
  throw new Error(`the tasks of user ${userId} in bot ${bot.id} changed ${MAX_ATTEMPTS} times while they were read`);
}

interface Finding {
  readonly request: TaskRequest;
  readonly state: RoundState<ShownTask>;
  readonly written: string | undefined;
  readonly asker: Asker | undefined;
}

async function placeNew(
  deps: GetSponsorsDeps,
  input: GetSponsorsInput,
  { request, state, written, asker }: Finding,
): Promise<readonly ShownTask[] | 'outdated'> {
  const read = asker ?? (await deps.askers.submit({ userId: request.userId, botId: request.botId, now: request.now }));
  const { asking, sent, facts } = understand(input, read, { now: request.now, tasks: state.tasks });
  const barredResources = new Set(asking.history.countedResources);
  const candidates = deps.book.match(
    facts,
    request.max + SPARE_CANDIDATES,
    (order) => barrierFor(order, asking) === undefined,
  );

  const returning = await ordersToReturn(deps.book, request, state);
  const asked = { orders: [...returning, ...candidates], needed: returning.length + request.max };
  const { memberResources, outsideResources, lostResources, askedResources } = await checkResources(
    deps,
    request,
    asked,
  );
  for (const resourceId of lostResources) barredResources.add(resourceId);
  const placed = await deps.placements.submit({
    request,
    written,
    sent,
    candidateIds: candidates
      .filter(({ resource }) => !needsCheck(resource) || askedResources.has(resource.id))
      .map((order) => order.id),
    barredResources,
    memberResources,
    outsideResources,
    memberOf: asking.memberOf,
    ...(deps.unknownCharge === 'base' && { charges: chargesFor([...returning, ...candidates], facts) }),
    isSeen: isSeenByTelegram(read) || memberResources.size > 0,
  });
  if (placed.kind === 'outdated') return 'outdated';
  for (const orderId of placed.fullOrders) deps.book.markFull(orderId);
  return placed.tasks;
}

/** What the user costs in each order when only the factors of known values are charged. */
function chargesFor(orders: readonly Order[], facts: Facts): ReadonlyMap<number, UserCharge> {
  return new Map(
    orders.map(({ id, priceKopecks, chargeKopecks: ofOrder, filters }) => [
      id,
      { ofOrder, chargeKopecks: chargeForKnown(priceKopecks, filters, facts) },
    ]),
  );
}

/** Whether anything that is stored of the user came from Telegram; what the bot sends may be invented, the id included. */
const isSeenByTelegram = ({ history, memberOf, stored }: Asker): boolean =>
  memberOf.size > 0 || history.countedResources.size > 0 || Object.keys(stored.learned).length > 0;

/** Orders whose expired tasks would be shown once more. */
async function ordersToReturn(
  book: OrderBook,
  { now }: TaskRequest,
  { round, tasks }: RoundState<ShownTask>,
): Promise<Order[]> {
  if (round === undefined || round.endsAt <= now) return [];
  const expired = tasks.filter((task) => task.round === round.number && !isDone(task) && !isOpen(task, now));
  if (expired.length === 0) return [];
  return [...(await book.lookup(expired.map((task) => task.orderId))).values()];
}

/** Everything that decides which orders are for this user in this bot. */
export function understand(
  input: GetSponsorsInput,
  { history, memberOf, stored }: Asker,
  { now, tasks }: { now: Date; tasks: readonly ShownTask[] },
): { asking: Asking; sent: SentFacts; facts: Facts } {
  const sent = sentFacts(input);
  const facts = factsOf(knownUser(sent, { chatId: input.chatId, stored, now }));
  // What is done is in the history, which also knows whether it was rejected since.
  const listed = tasks.filter((task) => task.state !== 'expired' && !isDone(task));
  return { asking: { bot: input.bot, history, listed, memberOf }, sent, facts };
}

/**
 * No update ever tells who starts another bot, so the check at the showing is the only way to tell new users from old
 * ones. Without it the task is not shown: a publisher who uses up the checks must not sell old users as new.
 */
const needsCheck = (resource: Resource): boolean => resource.type === 'bot' && !isExternal(resource);

interface CheckedResources {
  readonly memberResources: ReadonlySet<number>;
  readonly outsideResources: ReadonlySet<number>;
  readonly lostResources: readonly number[];
  /** About which Telegram was asked, whatever it answered. */
  readonly askedResources: ReadonlySet<number>;
}

/**
 * Asks Telegram about the likeliest candidates, and about the next ones for those that fall away, as far as time and
 * budget allow. Not knowing means showing, but for bots.
 */
async function checkResources(
  deps: GetSponsorsDeps,
  { userId, botId, now }: TaskRequest,
  { orders, needed }: { orders: readonly Order[]; needed: number },
): Promise<CheckedResources> {
  const waiting = [...new Map(orders.map((order) => [order.resource.id, order.resource])).values()];
  const deadline = performance.now() + deps.candidateCheckMs;
  const members: Resource[] = [];
  const outside: Resource[] = [];
  const lost: Resource[] = [];
  const askedResources = new Set<number>();
  let showable = 0;
  while (showable < needed && waiting.length > 0 && performance.now() < deadline) {
    const timeoutMs = Math.max(1, deadline - performance.now());
    const asked = waiting.splice(0, needed - showable).flatMap((resource) => {
      const verdict = deps.membershipChecker.checkIfAffordable(resource, userId, timeoutMs, botId);
      if (verdict === undefined && !needsCheck(resource)) showable += 1;
      if (verdict !== undefined) askedResources.add(resource.id);
      return verdict === undefined ? [] : [verdict.then((known) => ({ resource, known }))];
    });
    for (const { resource, known } of asked.length === 0 ? [] : await Promise.all(asked)) {
      if (known === 'member') members.push(resource);
      else if (known === 'no_access') lost.push(resource);
      else {
        if (known !== 'unavailable') outside.push(resource);
        showable += 1;
      }
    }
  }
  if (members.length > 0) {
    await recordMemberships(
      deps.db,
      members.map(({ chatId }) => ({ userId, chatId, isMember: true, source: 'check' as const, observedAt: now })),
    );
  }
  if (lost.length > 0) await deps.access.doubt(lost, userId);
  return {
    memberResources: new Set(members.map((resource) => resource.id)),
    outsideResources: new Set(outside.map((resource) => resource.id)),
    lostResources: lost.map((resource) => resource.id),
    askedResources,
  };
}

async function describe(
  deps: GetSponsorsDeps,
  { bot, userId }: GetSponsorsInput,
  tasks: readonly ShownTask[],
): Promise<SponsorTask[]> {
  if (tasks.length === 0) return [];
  const orderIds = tasks.map((task) => task.orderId);
  const orders = deps.book.recall(orderIds) ?? (await deps.book.lookup(orderIds));
  const described = tasks.flatMap((task) => {
    const order = orders.get(task.orderId);
    return order === undefined ? [] : [toTask(deps, order, task)];
  });
  const [first, ...rest] = described;
  if (first === undefined || !bot.collectsProfiles || isExternal(first.order.resource)) return described;
  // One task of a user of whom we know nothing goes through a link of ours, which learns where and on what they are.
  const [stored] = await readUsers(deps.db, [userId], deps.clock.now());
  const isKnown = stored?.learned.device_type !== undefined || stored?.learned.country !== undefined;
  return isKnown ? described : [{ ...first, link: deps.personalLink({ orderId: first.order.id, userId }) }, ...rest];
}

function toTask({ secrets, book }: GetSponsorsDeps, order: Order, task: ShownTask): SponsorTask {
  const link = linkOf(secrets, order, task);
  return isExternal(order.resource)
    ? { task, order, link, approvalPercent: book.approvalPercent(order.id) }
    : { task, order, link };
}

/** A bot that only its advertiser can check is told which task the user comes from. */
function linkOf(secrets: Secrets, order: Order, task: ShownTask): string {
  if (!isExternal(order.resource)) return order.link;
  const url = new URL(order.link);
  url.searchParams.set('start', clickIdOf(secrets, task));
  return url.href;
}
