import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import {
  type Contest,
  type ContestStatus,
  findContest,
  listContests,
  readStandings,
  type Standing,
  statusOf,
} from '../../../modules/contests/index.ts';
import { approveContest, cancelContest } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { badge, buttons, facts, panel, stepLink, type Tone } from '../parts/elements.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, type Crumb, done, readId, refused, type Visit } from '../visit.ts';
import { accountLink, byOperator, CONTESTS } from './operator-path.ts';

const MAX_CONTESTS = 200;
const SHOWN_STANDINGS = 100;

const TONES: Readonly<Record<ContestStatus, Tone>> = {
  scheduled: 'plain',
  running: 'accent',
  waiting: 'warn',
  finishing: 'accent',
  finished: 'good',
  cancelled: 'bad',
};

const contestPath = (id: number): string => `${CONTESTS}/${id}`;
const notFound = (): ApiError => new ApiError('route_not_found', 'There is no such contest.');
const contestCrumbs = ({ texts }: Visit, contest?: Contest): [Crumb, ...Crumb[]] => [
  { label: texts.operator.menu.contests, href: CONTESTS },
  ...(contest === undefined ? [] : [{ label: contest.name, href: contestPath(contest.id) }]),
];

/**
 * Contests and their standings, which an operator checks before prizes are paid. The management bot creates contests.
 */
export function contestPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db, clock } = deps;
  const back = (visit: Visit): string => contestPath(readId(visit));

  async function requireContest(visit: Visit): Promise<Contest> {
    const contest = await findContest(db, readId(visit));
    if (contest === undefined) throw notFound();
    return contest;
  }

  router.page(CONTESTS, async (visit) => {
    const table = contestsTable(visit, await listContests(db, MAX_CONTESTS), clock.now());
    return { title: visit.texts.operator.menu.contests, body: table.html, tables: [table] };
  });

  router.page(`${CONTESTS}/:id`, async (visit) => {
    const contest = await requireContest(visit);
    const status = statusOf(contest, clock.now());
    const hasBegun = status !== 'scheduled' && status !== 'cancelled';
    const standings = hasBegun ? await readStandings(deps.contests, contest, SHOWN_STANDINGS) : [];
    const table = standingsTable(visit, contest, standings);
    return {
      title: contest.name,
      crumbs: contestCrumbs(visit),
      aside: badge(...statusBadge(visit, status)),
      body: html`${describe(visit, contest)}${decisions(visit, contest.id, status)}${table.html}`,
      tables: [table],
    };
  });

  const ask = (step: 'approve' | 'cancel') => async (visit: Visit) => ({
    ...visit.texts.operator.contests[step],
    crumbs: contestCrumbs(visit, await requireContest(visit)),
    style: step === 'approve' ? ('primary' as const) : ('danger' as const),
  });

  confirmedAction(router, `${CONTESTS}/:id/approve`, {
    back,
    ask: ask('approve'),
    async act(visit) {
      const { id } = await requireContest(visit);
      const { operator, contests: words } = visit.shared;
      const outcome = await approveContest(deps, { ...byOperator(visit), contestId: id });
      switch (outcome.kind) {
        case 'approved':
          return done(back(visit), operator.contests.approved);
        case 'too_early':
          return refused(back(visit), operator.contests.tooEarly);
        case 'not_allowed':
          return refused(back(visit), operator.alreadyDecided(words.statuses[outcome.status]));
        case 'not_found':
          throw notFound();
      }
    },
  });

  confirmedAction(router, `${CONTESTS}/:id/cancel`, {
    back,
    ask: ask('cancel'),
    async act(visit) {
      const { id } = await requireContest(visit);
      const { operator, contests: words } = visit.shared;
      const outcome = await cancelContest(deps, { ...byOperator(visit), contestId: id });
      if (outcome.kind === 'cancelled') return done(back(visit), operator.contests.cancelled);
      const status = outcome.kind === 'not_allowed' ? outcome.status : 'cancelled';
      return refused(back(visit), operator.alreadyDecided(words.statuses[status]));
    },
  });
}

const statusBadge = ({ shared }: Visit, status: ContestStatus): readonly [Tone, string] => [
  TONES[status],
  shared.contests.statuses[status],
];

function describe({ texts, formats }: Visit, contest: Contest): Html {
  const words = texts.operator.contests;
  return panel(
    words.about,
    facts(
      [words.period, `${formats.moment(contest.startsAt)} – ${formats.moment(contest.endsAt)}`],
      [words.prizes, contest.prizesKopecks.map(formats.rubles).join(', ')],
      [words.scored, words.rules],
    ),
    { id: 'about-contest' },
  );
}

/** Links to the decisions that the status allows; the use cases check again. */
function decisions({ texts }: Visit, id: number, status: ContestStatus): Html | undefined {
  if (status === 'finished' || status === 'cancelled') return undefined;
  const words = texts.operator.contests;
  const isWaiting = status === 'waiting';
  const links = buttons(
    isWaiting && stepLink(`${contestPath(id)}/approve`, words.approve.submit),
    stepLink(`${contestPath(id)}/cancel`, words.cancel.submit, 'danger'),
  );
  return panel(words.decide, links, { note: isWaiting ? words.decideNote : undefined });
}

function contestsTable(visit: Visit, rows: readonly Contest[], now: Date): BuiltTable {
  const { texts } = visit;
  const words = texts.operator.contests;
  return buildTable(visit, {
    name: 'contests',
    title: words.list,
    note: words.listNote,
    empty: visit.shared.operator.contests.empty,
    rows,
    columns: ({ link, id, time, badge: status }) => [
      link(texts.common.name, (contest) => [contest.name, contestPath(contest.id)]),
      id(texts.common.number, (contest) => contest.id),
      time(words.begins, ({ startsAt }) => startsAt),
      time(words.ends, ({ endsAt }) => endsAt),
      status(texts.common.status, (contest) => statusBadge(visit, statusOf(contest, now))),
    ],
  });
}

function standingsTable(visit: Visit, contest: Contest, rows: readonly Standing[]): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.operator.contests;
  const prizeOf = ({ rank }: Standing): bigint => contest.prizesKopecks[rank - 1] ?? 0n;
  return buildTable(visit, {
    name: 'standings',
    title: words.standings,
    empty: words.noParticipants,
    rows,
    columns: ({ id, rubles, count }) => [
      id(words.rank, ({ rank }) => rank),
      {
        title: texts.operator.owner,
        cell: ({ accountId }) => accountLink(visit, accountId),
        value: ({ accountId }) => accountId,
      },
      rubles(words.revenue, ({ revenueKopecks }) => revenueKopecks),
      count(words.subscriptions, ({ score }) => score),
      {
        ...rubles(words.prize, prizeOf),
        cell: (standing) => (prizeOf(standing) === 0n ? '–' : formats.rubles(prizeOf(standing))),
      },
    ],
  });
}
