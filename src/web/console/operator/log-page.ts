import { type Html, html } from '../../../core/html.ts';
import {
  type ActionKind,
  type ActionNames,
  listActions,
  nameActions,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type SubjectKind,
} from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { queryForm, selectField } from '../parts/form.ts';
import { buildTable, pageOf, rowLimit, type TableSpec } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, readCursor, type Visit } from '../visit.ts';
import { ACCOUNTS, CASES, CONTESTS, LOG, MODERATION, PAYOUTS } from './operator-path.ts';

/** The audit log of operators' decisions, newest first. */
export function logPage(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(LOG, async (visit) => {
    const action = OPERATOR_ACTIONS.find((kind) => kind === visit.query.get('action'));
    const before = readCursor(visit.query, 'after');
    const found = await listActions(db, { action, before, limit: rowLimit(visit, 'log') });
    const { rows, last } = pageOf(visit, 'log', found);
    const { title, note } = visit.texts.operator.log;
    const next = last && { after: last.id };
    const names = await nameActions(db, rows);
    const table = logTable(visit, { title, note, rows, next, lead: actionFilter(visit, action), names });
    return { title: visit.texts.operator.menu.log, body: table.html, tables: [table] };
  });
}

function actionFilter({ texts, shared }: Visit, action: ActionKind | undefined): Html {
  const words = texts.operator.log;
  const fields = selectField({
    name: 'action',
    label: words.filter,
    value: action ?? '',
    choices: [
      { value: '', label: words.all },
      ...OPERATOR_ACTIONS.map((kind) => ({ value: kind, label: shared.operator.actions[kind] })),
    ],
  });
  return queryForm({ action: LOG, fields, submit: words.show, style: '' });
}

export function logTable(
  visit: Visit,
  {
    names,
    ...list
  }: Pick<TableSpec<OperatorAction>, 'title' | 'note' | 'rows' | 'next' | 'lead'> & { readonly names: ActionNames },
): BuiltTable {
  const { texts, shared } = visit;
  const words = texts.operator.log;
  const subjectOf = ({ subject }: OperatorAction): string =>
    words.numbered(shared.operator.subjects[subject.kind], subject.id);
  return buildTable(visit, {
    ...list,
    name: 'log',
    empty: words.empty,
    columns: ({ text, time }) => [
      time(texts.common.time, ({ at }) => at),
      {
        title: words.operator,
        cell: ({ operatorId }) => html`${names.operators.get(operatorId) ?? ''}<span class="sub">${operatorId}</span>`,
        value: ({ operatorId }) => operatorId,
      },
      text(words.action, ({ action }) => shared.operator.actions[action]),
      {
        title: words.subject,
        cell: (line) => {
          const folder = SUBJECT_PAGES[line.subject.kind];
          const subject = subjectOf(line);
          const name = names.subjects.get(`${line.subject.kind}:${line.subject.id}`);
          const link =
            folder === undefined ? html`${subject}` : html`<a href="${`${folder}/${line.subject.id}`}">${subject}</a>`;
          return html`${link}${name !== undefined && html`<span class="sub">${name}</span>`}`;
        },
        value: subjectOf,
      },
      text(words.details, (line) => describeDetails(visit, line)),
    ],
  });
}

/** The subjects that have a page in the console. */
const SUBJECT_PAGES: Readonly<Partial<Record<SubjectKind, string>>> = {
  order: MODERATION,
  account: ACCOUNTS,
  payout: PAYOUTS,
  contest: CONTESTS,
  case: CASES,
};

function describeDetails({ formats, texts }: Visit, { details }: OperatorAction): string {
  const { amountKopecks, caseIds, count, name, note, reason, reference } = details;
  const seen = caseIds?.map((id) => texts.cases.numbered(id)).join(', ');
  const amount = amountKopecks === undefined ? undefined : formats.rubles(BigInt(amountKopecks));
  const times = count === undefined ? undefined : `× ${formats.count(count)}`;
  return [amount, times, name, note, reason, reference, seen].filter((part) => part !== undefined).join(' · ');
}
