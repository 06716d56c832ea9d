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
import { confirmPage } from '../parts/confirm.ts';
import { badge, facts, NOTHING, panel, type Tone } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, type Crumb, done, idIn, refused, type Visit } from '../visit.ts';
import { accountLink, by, CONTESTS, FOR_OPERATORS } from './operator-path.ts';

const MOST_LISTED = 200;
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
const toList = ({ texts }: Visit): Crumb => ({ label: texts.operator.menu.contests, href: CONTESTS });

/** Contests with their standings: what an operator sees before prizes go out. They are created in the management bot. */
export function contestPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db, clock } = deps;
  const back = (visit: Visit): string => contestPath(idIn(visit));

  async function contestIn(visit: Visit): Promise<Contest> {
    const contest = await findContest(db, idIn(visit));
    if (contest === undefined) throw new ApiError('route_not_found', 'There is no such contest.');
    return contest;
  }

  router.page(
    CONTESTS,
    async (visit) => {
      const table = contestsTable(visit, await listContests(db, MOST_LISTED), clock.now());
      return { title: visit.texts.operator.menu.contests, section: CONTESTS, body: table.html, tables: [table] };
    },
    FOR_OPERATORS,
  );

  router.page(
    `${CONTESTS}/:id`,
    async (visit) => {
      const contest = await contestIn(visit);
      const status = statusOf(contest, clock.now());
      const hasBegun = status !== 'scheduled' && status !== 'cancelled';
      const standings = hasBegun ? await readStandings(deps.contests, contest, SHOWN_STANDINGS) : [];
      const table = standingsTable(visit, contest, standings);
      return {
        title: contest.name,
        section: CONTESTS,
        crumbs: [toList(visit)],
        aside: statusBadge(visit, status),
        body: html`${describe(visit, contest)}${decisions(visit, contest.id, status)}${table.html}`,
        tables: [table],
      };
    },
    FOR_OPERATORS,
  );

  for (const step of ['approve', 'cancel'] as const) {
    router.page(
      `${CONTESTS}/:id/${step}`,
      async (visit) => {
        const contest = await contestIn(visit);
        const words = visit.texts.operator.contests;
        return confirmPage(visit, {
          title: words[step].title,
          section: CONTESTS,
          crumbs: [toList(visit), { label: contest.name, href: contestPath(contest.id) }],
          text: words[step].text,
          action: visit.path,
          submit: words[step].submit,
          back: contestPath(contest.id),
          look: step === 'approve' ? 'primary' : 'danger',
        });
      },
      FOR_OPERATORS,
    );
  }

  router.action(
    `${CONTESTS}/:id/approve`,
    async (visit) => {
      const { id } = await contestIn(visit);
      const { operator } = visit.texts;
      const outcome = await approveContest(deps, { ...by(visit), contestId: id });
      switch (outcome.kind) {
        case 'approved':
          return done(back(visit), operator.contests.approved);
        case 'too_early':
          return refused(back(visit), operator.contests.tooEarly);
        case 'not_allowed':
          return refused(back(visit), operator.alreadyDone(operator.contests.statuses[outcome.status]));
        case 'not_found':
          throw new ApiError('route_not_found', 'There is no such contest.');
      }
    },
    { ...FOR_OPERATORS, back },
  );

  router.action(
    `${CONTESTS}/:id/cancel`,
    async (visit) => {
      const { id } = await contestIn(visit);
      const { operator } = visit.texts;
      const outcome = await cancelContest(deps, { ...by(visit), contestId: id });
      if (outcome.kind === 'cancelled') return done(back(visit), operator.contests.cancelled);
      const status = outcome.kind === 'not_allowed' ? outcome.status : 'cancelled';
      return refused(back(visit), operator.alreadyDone(operator.contests.statuses[status]));
    },
    { ...FOR_OPERATORS, back },
  );
}

const statusBadge = ({ texts }: Visit, status: ContestStatus): Html =>
  badge(TONES[status], texts.operator.contests.statuses[status]);

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

/** What may be decided about it now; the use cases have the last word. */
function decisions({ texts }: Visit, id: number, status: ContestStatus): Html {
  if (status === 'finished' || status === 'cancelled') return NOTHING;
  const words = texts.operator.contests;
  const approve =
    status === 'waiting'
      ? html`<a class="button" href="${`${contestPath(id)}/approve`}">${words.approve.submit}…</a>`
      : NOTHING;
  const cancel = html`<a class="button danger-link" href="${`${contestPath(id)}/cancel`}">${words.cancel.submit}…</a>`;
  return panel(words.decide, html`<div class="buttons">${approve}${cancel}</div>`, {
    ...(status === 'waiting' && { note: words.decideNote }),
  });
}

function contestsTable(visit: Visit, rows: readonly Contest[], now: Date): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.operator.contests;
  return buildTable(visit, {
    name: 'contests',
    title: words.list,
    note: words.listNote,
    empty: words.empty,
    rows,
    columns: [
      {
        title: texts.common.name,
        cell: ({ id, name }) => html`<a href="${contestPath(id)}">${name}</a>`,
        value: ({ name }) => name,
      },
      { title: texts.common.number, cell: ({ id }) => String(id), value: ({ id }) => id, isFigure: true },
      { title: words.begins, cell: ({ startsAt }) => formats.moment(startsAt), value: ({ startsAt }) => startsAt },
      { title: words.ends, cell: ({ endsAt }) => formats.moment(endsAt), value: ({ endsAt }) => endsAt },
      {
        title: texts.common.status,
        cell: (contest) => statusBadge(visit, statusOf(contest, now)),
        value: (contest) => words.statuses[statusOf(contest, now)],
      },
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
    empty: words.nobody,
    rows,
    columns: [
      { title: words.rank, cell: ({ rank }) => String(rank), value: ({ rank }) => rank, isFigure: true },
      {
        title: texts.operator.owner,
        cell: ({ accountId }) => accountLink(visit, accountId),
        value: ({ accountId }) => accountId,
      },
      {
        title: words.revenue,
        cell: ({ revenueKopecks }) => formats.rubles(revenueKopecks),
        value: ({ revenueKopecks }) => revenueKopecks,
        isFigure: true,
      },
      {
        title: words.subscriptions,
        cell: ({ score }) => formats.count(score),
        value: ({ score }) => score,
        isFigure: true,
      },
      {
        title: words.prize,
        cell: (standing) => (prizeOf(standing) === 0n ? '–' : formats.rubles(prizeOf(standing))),
        value: prizeOf,
        isFigure: true,
      },
    ],
  });
}
