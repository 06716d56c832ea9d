import { businessDay } from '../../../core/clock.ts';
import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { findAccountSummary } from '../../../modules/accounts/index.ts';
import {
  CASE_KINDS,
  type Case,
  type CaseExample,
  canReverse,
  exportCase,
  type FigureName,
  findCase,
  isUndecided,
  listQueue,
} from '../../../modules/cases/index.ts';
import {
  banForCase,
  type CaseOutcome,
  clearCase,
  holdCase,
  previewReversal,
  reverseCase,
} from '../../../modules/operators/index.ts';
import { explainReason } from '../../../texts/quality.ts';
import { caseBadge } from '../cases/case-badge.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge, buttons, facts, panel, stepLink, tile, tiles } from '../parts/elements.ts';
import { queryForm, selectField } from '../parts/form.ts';
import { drawGraph } from '../parts/graph.ts';
import { buildTable, FILE_ROWS, PAGE_ROWS, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, type Crumb, done, type Redirect, readCursor, readId, refused, type Visit } from '../visit.ts';
import { askReason } from './ask-reason.ts';
import { accountLink, byOperator, CASES, MODERATION, ownerLink, PAYOUTS } from './operator-path.ts';

const LIST = 'cases';
const casePath = (id: number): string => `${CASES}/${id}`;
const notFound = (): ApiError => new ApiError('route_not_found', 'There is no such case.');

/** Cases of suspected fraud: the queue, the evidence and the decisions. */
export function casePages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;
  async function requireCase(visit: Visit): Promise<Case> {
    const found = await findCase(db, readId(visit));
    if (found === undefined) throw notFound();
    return found;
  }
  const crumbs = async (visit: Visit): Promise<[Crumb, ...Crumb[]]> => {
    const { id } = await requireCase(visit);
    return [...queueCrumbs(visit), { label: visit.texts.cases.numbered(id), href: casePath(id) }];
  };
  const decisionOn = (visit: Visit, reason: string) => ({ ...byOperator(visit), caseId: readId(visit), reason });

  router.page(CASES, async (visit) => {
    const kind = CASE_KINDS.find((one) => one === visit.query.get('kind'));
    // The queue moves with the money, so a page is named by the number of rows before it.
    const offset = visit.csv === undefined ? (readCursor(visit.query, 'after') ?? 0) : 0;
    const found = await listQueue(db, { offset, limit: rowLimit(visit, LIST), kind });
    const size = visit.csv === undefined ? PAGE_ROWS : FILE_ROWS;
    const next = found.length > size ? { after: offset + size } : undefined;
    const table = queueTable(visit, { rows: found.slice(0, size), next, kind });
    return { title: visit.texts.operator.menu.cases, body: table.html, tables: [table] };
  });

  router.page(`${CASES}/:id`, async (visit) => {
    const found = await requireCase(visit);
    const account = await findAccountSummary(db, found.accountId);
    const examples = examplesTable(visit, found);
    const { graph } = found.evidence;
    const picture =
      graph.edges.length > 0 &&
      panel(visit.texts.operator.cases.graph.title, drawGraph(visit, graph), { id: 'case-graph' });
    return {
      title: visit.texts.cases.numbered(found.id),
      crumbs: queueCrumbs(visit),
      aside: badge(...caseBadge(visit, found)),
      body: html`${figures(visit, found)}${about(visit, found, ownerLink(visit, found.accountId, account))}${reasons(visit, found)}${changes(visit, found)}${picture}${examples.html}${await decisions(deps, visit, found)}`,
      tables: [examples],
    };
  });

  router.file(`${CASES}/:id/export`, async (visit) => {
    const found = await requireCase(visit);
    return { name: `sponsorgate-case-${found.id}-${businessDay(visit.now)}`, content: exportCase(found) };
  });

  askReason(router, `${CASES}/:id/clear`, {
    style: 'primary',
    words: ({ cases }) => cases.askClear,
    crumbs,
    act: async (visit, reason) =>
      redirectAfter(visit, await clearCase(deps, decisionOn(visit, reason)), visit.shared.cases.outcomes.cleared),
  });
  askReason(router, `${CASES}/:id/hold`, {
    style: 'danger',
    words: ({ cases }) => cases.askHold,
    crumbs,
    act: async (visit, reason) =>
      redirectAfter(visit, await holdCase(deps, decisionOn(visit, reason)), visit.shared.cases.outcomes.held),
  });
  askReason(router, `${CASES}/:id/ban`, {
    style: 'danger',
    words: ({ cases }) => cases.askBan,
    crumbs,
    act: async (visit, reason) =>
      redirectAfter(visit, await banForCase(deps, decisionOn(visit, reason)), visit.shared.cases.outcomes.banned),
  });
  askReason(router, `${CASES}/:id/reverse`, {
    style: 'danger',
    words: ({ cases }) => cases.askReverse,
    crumbs,
    async act(visit, reason) {
      const outcome = await reverseCase(deps, decisionOn(visit, reason));
      if (outcome.kind !== 'reversed') return redirectAfter(visit, outcome, '');
      const { count, rubles } = visit.formats;
      const { reversed } = visit.shared.cases.outcomes;
      return done(casePath(readId(visit)), reversed(count(outcome.count), rubles(outcome.rewardKopecks)));
    },
  });
}

const queueCrumbs = ({ texts }: Visit): [Crumb] => [{ label: texts.operator.menu.cases, href: CASES }];

/** Returns to the case and shows the outcome of the decision. */
function redirectAfter(visit: Visit, outcome: CaseOutcome, success: string): Redirect {
  const { operator, cases } = visit.shared;
  const to = casePath(readId(visit));
  switch (outcome.kind) {
    case 'done':
      return done(to, success);
    case 'already_decided':
      return refused(to, operator.alreadyDecided(cases.statuses[outcome.status]));
    case 'is_operator':
      return refused(to, operator.accounts.isOperator);
    case 'not_reversible':
      return refused(to, cases.outcomes.notReversible);
    case 'not_found':
      throw notFound();
  }
}

function queueTable(
  visit: Visit,
  { rows, next, kind }: { rows: readonly Case[]; next: { after: number } | undefined; kind: Case['kind'] | undefined },
): BuiltTable {
  const { texts, shared } = visit;
  const words = texts.operator.cases;
  const lead = queryForm({
    action: CASES,
    fields: selectField({
      name: 'kind',
      label: words.kind,
      value: kind ?? '',
      choices: [
        { value: '', label: words.all },
        ...CASE_KINDS.map((one) => ({ value: one, label: shared.cases.kinds[one] })),
      ],
    }),
    submit: words.show,
    style: '',
  });
  return buildTable(visit, {
    name: LIST,
    title: words.title,
    note: words.note,
    rows,
    empty: words.empty,
    next,
    lead,
    columns: ({ link, rubles, text, badge: state, time }) => [
      {
        ...link(texts.common.number, ({ id }) => [texts.cases.numbered(id), casePath(id)]),
        value: ({ id }) => id,
      },
      rubles(words.risk, ({ riskKopecks }) => riskKopecks),
      text(words.kind, (one) => shared.cases.kinds[one.kind]),
      text(words.subject, ({ subject }) => shared.cases.subjects[subject.type](subject.id)),
      {
        title: texts.operator.owner,
        cell: ({ accountId }) => accountLink(visit, accountId),
        value: ({ accountId }) => accountId,
      },
      state(texts.common.status, (one) => caseBadge(visit, one)),
      text(words.answer, ({ answer }) => (answer === null ? words.notAnswered : words.answered)),
      time(texts.cases.opened, ({ openedAt }) => openedAt),
    ],
  });
}

function figures({ texts, shared, formats }: Visit, { riskKopecks, evidence }: Case): Html {
  const words = texts.operator.cases;
  return tiles(
    tile(words.risk, formats.rubles(riskKopecks), words.riskNote),
    ...Object.entries(evidence.figures).map(([name, value]) =>
      tile(
        shared.cases.figures[name as FigureName] ?? name,
        name.endsWith('_kopecks') ? formats.rubles(BigInt(value)) : formats.count(value),
      ),
    ),
  );
}

function about(visit: Visit, found: Case, owner: Html): Html {
  const { texts, shared, formats } = visit;
  const { decidedAt, decisionReason, answer, subject } = found;
  const name = shared.cases.subjects[subject.type](subject.id);
  const download = html`<a class="quiet-button" href="${`${casePath(found.id)}/export`}" download>${texts.operator.cases.export}</a>`;
  return panel(
    shared.cases.kinds[found.kind],
    html`${facts(
      [texts.operator.owner, owner],
      [
        texts.cases.subject,
        subject.type === 'order' ? html`<a href="${`${MODERATION}/${subject.id}`}">${name}</a>` : html`${name}`,
      ],
      [texts.cases.opened, formats.moment(found.openedAt)],
      decidedAt === null ? undefined : [texts.cases.decided, formats.moment(decidedAt)],
      decisionReason === null ? undefined : [texts.cases.reason, decisionReason],
      [
        texts.operator.cases.answer,
        answer === null ? texts.operator.cases.notAnswered : html`<span class="quoted">${answer}</span>`,
      ],
    )}${download}`,
    { id: 'about-case' },
  );
}

function reasons({ texts, language }: Visit, { evidence }: Case): Html | undefined {
  if (evidence.reasons.length === 0) return undefined;
  const items = evidence.reasons.map((reason) => html`<li>${explainReason(language, reason)}</li>`);
  return panel(texts.operator.cases.reasons, html`<ul>${items}</ul>`, { id: 'case-reasons' });
}

function changes({ texts, shared }: Visit, { evidence }: Case): Html | undefined {
  if (evidence.changes.length === 0) return undefined;
  const words = texts.operator.cases;
  const shown = (text: string): string => (text === '' ? shared.cases.none : text);
  const rows = evidence.changes.map(({ field, before, after }): [string, string] => [
    shared.cases.changes[field],
    `${words.before}: ${shown(before)}. ${words.after}: ${shown(after)}`,
  ]);
  return panel(words.changes, facts(...rows), { id: 'case-changes' });
}

function examplesTable(visit: Visit, { evidence }: Case): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.operator.cases;
  const number = (value: number | undefined): string => (value === undefined ? '' : String(value));
  return buildTable<CaseExample>(visit, {
    name: 'examples',
    title: words.examples,
    rows: evidence.examples,
    empty: words.noExamples,
    columns: ({ time, text }) => [
      time(texts.common.time, ({ at }) => new Date(at)),
      text(words.user, (example) => number(example.user_id)),
      text(words.bot, (example) => number(example.bot_id)),
      {
        title: words.order,
        cell: ({ order_id: id }) => (id === undefined ? html`` : html`<a href="${`${MODERATION}/${id}`}">${id}</a>`),
        value: ({ order_id: id }) => id ?? null,
      },
      {
        title: words.payout,
        cell: ({ payout_id: id }) => (id === undefined ? html`` : html`<a href="${`${PAYOUTS}/${id}`}">${id}</a>`),
        value: ({ payout_id: id }) => id ?? null,
      },
      text(texts.common.amount, ({ kopecks }) => (kopecks === undefined ? '' : formats.rubles(BigInt(kopecks)))),
      text(words.details, ({ note }) => note ?? ''),
    ],
  });
}

/** Links to the decisions that are left; the use cases check again. A reversal that ended early can be continued. */
async function decisions(deps: ConsoleDeps, visit: Visit, found: Case): Promise<Html | undefined> {
  const isReversed = found.status === 'reversed';
  if (!isUndecided(found.status) && !isReversed) return undefined;
  const words = visit.texts.operator.cases;
  const path = casePath(found.id);
  const { count, rubles } = visit.formats;
  const preview = canReverse(found) ? await previewReversal(deps, found) : undefined;
  if (isReversed && preview?.count === 0) return undefined;
  const links = buttons(
    !isReversed && stepLink(`${path}/clear`, words.askClear.submit),
    found.status === 'open' && stepLink(`${path}/hold`, words.askHold.submit),
    preview !== undefined && stepLink(`${path}/reverse`, words.askReverse.submit, 'danger'),
    !isReversed && stepLink(`${path}/ban`, words.askBan.submit, 'danger'),
  );
  const effect =
    preview !== undefined &&
    html`<p>${words.preview({
      count: count(preview.count),
      reward: rubles(preview.rewardKopecks),
      settled: rubles(preview.settledKopecks),
    })}</p>`;
  return panel(words.decide, html`${effect}${links}`, { note: words.decideNote, id: 'decide-case' });
}
