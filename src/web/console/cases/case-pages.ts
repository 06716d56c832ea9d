import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import {
  answerCase,
  type Case,
  canAnswer,
  findCase,
  listCasesOfAccount,
  MAX_ANSWER,
} from '../../../modules/cases/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge, facts, panel } from '../parts/elements.ts';
import { form, textArea } from '../parts/form.ts';
import { buildTable, pageOf, rowLimit } from '../parts/table.ts';
import { type ConsoleRouter, withOptions } from '../router.ts';
import { done, type Page, readCursor, readId, refused, type Visit } from '../visit.ts';
import { caseBadge } from './case-badge.ts';

const CASES = '/console/cases';
const LIST = 'cases';
const casePath = (id: number): string => `${CASES}/${id}`;

/** The cases of the owner's account. The owner may answer each once, also when the account is banned. */
export function casePages(allRoutes: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;
  const router = withOptions(allRoutes, { isForBanned: true });

  router.page(CASES, async (visit) => {
    const { accountId } = visit.owner;
    const found = await listCasesOfAccount(db, {
      accountId,
      before: readCursor(visit.query),
      limit: rowLimit(visit, LIST),
    });
    const { rows, last } = pageOf(visit, LIST, found);
    const { cases: words, common } = visit.texts;
    const table = buildTable(visit, {
      name: LIST,
      title: words.title,
      note: words.note,
      rows,
      empty: words.empty,
      next: last && { before: last.id },
      columns: ({ link, text, badge: state, time }) => [
        {
          ...link(common.number, ({ id }) => [words.numbered(id), casePath(id)]),
          value: ({ id }) => id,
        },
        text(words.kind, ({ kind }) => visit.shared.cases.kinds[kind]),
        text(words.subject, ({ subject }) => visit.shared.cases.subjects[subject.type](subject.id)),
        state(common.status, (one) => caseBadge(visit, one)),
        time(words.opened, ({ openedAt }) => openedAt),
      ],
    });
    return { title: visit.texts.menu.cases, body: table.html, tables: [table] };
  });

  /** A case of another account looks like one that does not exist. */
  async function requireOwn(visit: Visit): Promise<Case> {
    const found = await findCase(db, readId(visit));
    if (found?.accountId !== visit.owner.accountId) throw new ApiError('route_not_found', 'There is no such case.');
    return found;
  }

  const show = async (visit: Visit, rejected?: string): Promise<Page> => {
    const found = await requireOwn(visit);
    const page = {
      title: visit.texts.cases.numbered(found.id),
      crumbs: [{ label: visit.texts.menu.cases, href: CASES }],
      aside: badge(...caseBadge(visit, found)),
      body: html`${about(visit, found)}${answerPanel(visit, found, rejected)}`,
    };
    return rejected === undefined ? page : { ...page, status: 422 };
  };

  router.page(`${CASES}/:id`, (visit) => show(visit));
  router.action(
    `${CASES}/:id/answer`,
    async (visit, sent) => {
      const text = sent.get('answer') ?? '';
      const { outcomes } = visit.shared.cases;
      const caseId = readId(visit);
      const outcome = await answerCase(deps, { caseId, accountId: visit.owner.accountId, text });
      switch (outcome.kind) {
        case 'answered':
          return done(casePath(caseId), outcomes.answered);
        case 'too_late':
          return refused(casePath(caseId), outcomes.tooLate);
        case 'invalid':
          return show(visit, text);
        case 'not_found':
          throw new ApiError('route_not_found', 'There is no such case.');
      }
    },
    { back: (visit) => casePath(readId(visit)) },
  );
}

function about({ texts, shared, formats }: Visit, found: Case): Html {
  const words = texts.cases;
  const { decidedAt, decisionReason, answer } = found;
  return panel(
    words.about,
    facts(
      [words.kind, shared.cases.kinds[found.kind]],
      [words.why, shared.cases.why[found.kind]],
      [words.subject, shared.cases.subjects[found.subject.type](found.subject.id)],
      [words.opened, formats.moment(found.openedAt)],
      decidedAt === null ? undefined : [words.decided, formats.moment(decidedAt)],
      decisionReason === null ? undefined : [words.reason, decisionReason],
      answer === null ? undefined : [words.yourAnswer, html`<span class="quoted">${answer}</span>`],
    ),
    { id: 'about-case' },
  );
}

function answerPanel(visit: Visit, found: Case, rejected: string | undefined): Html | undefined {
  if (!canAnswer(found)) return undefined;
  const words = visit.texts.cases.answer;
  const fields = textArea({
    name: 'answer',
    label: words.field,
    hint: words.hint,
    value: rejected ?? '',
    maxLength: MAX_ANSWER,
    ...(rejected !== undefined && { error: visit.shared.cases.outcomes.answerLength }),
  });
  return panel(words.title, form(visit, { action: `${casePath(found.id)}/answer`, fields, submit: words.submit }), {
    note: words.note,
    id: 'answer-case',
  });
}
