import { type Html, html } from '../../../core/html.ts';
import {
  type ActionKind,
  listActions,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type SubjectKind,
} from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { selectField } from '../parts/form.ts';
import { buildTable, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, cursorIn, type Visit } from '../visit.ts';
import { ACCOUNTS, CONTESTS, FOR_OPERATORS, LOG, MODERATION, onward, PAYOUTS } from './operator-path.ts';

/** Who decided what, newest first. */
export function logPage(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(
    LOG,
    async (visit) => {
      const action = OPERATOR_ACTIONS.find((kind) => kind === visit.query.get('action'));
      const before = cursorIn(visit.query, 'after');
      const { rows, next } = await readLog(db, { action, before, limit: rowsWanted(visit, 'log') - 1 });
      const words = visit.texts.operator.log;
      const table = logTable(visit, { title: words.title, note: words.note, rows, lead: filter(visit, action) });
      return {
        title: visit.texts.operator.menu.log,
        section: LOG,
        body: html`${table.html}${onward(visit, next)}`,
        tables: [table],
      };
    },
    FOR_OPERATORS,
  );
}

async function readLog(
  db: ConsoleDeps['db'],
  { limit, ...wanted }: { action: ActionKind | undefined; before: number | undefined; limit: number },
): Promise<{ rows: OperatorAction[]; next: number | undefined }> {
  const found = await listActions(db, { ...wanted, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : undefined };
}

function filter({ texts }: Visit, action: ActionKind | undefined): Html {
  const words = texts.operator.log;
  const field = selectField({
    name: 'action',
    label: words.filter,
    value: action ?? '',
    choices: [
      { value: '', label: words.all },
      ...OPERATOR_ACTIONS.map((kind) => ({ value: kind, label: words.actions[kind] })),
    ],
  });
  return html`<form method="get" action="${LOG}" class="form">${field}<div class="form-end"><button type="submit">${words.show}</button></div></form>`;
}

export function logTable(
  visit: Visit,
  list: { title: string; note?: string; rows: readonly OperatorAction[]; lead?: Html },
): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.operator.log;
  const subjectOf = ({ subject }: OperatorAction): string => words.numbered(words.subjects[subject.kind], subject.id);
  return buildTable(visit, {
    ...list,
    name: 'log',
    empty: words.empty,
    columns: [
      { title: texts.common.time, cell: ({ at }) => formats.moment(at), value: ({ at }) => at },
      { title: words.operator, cell: ({ operatorId }) => String(operatorId), value: ({ operatorId }) => operatorId },
      { title: words.action, cell: ({ action }) => words.actions[action] },
      {
        title: words.subject,
        cell: (line) => {
          const folder = FOLDERS[line.subject.kind];
          const said = subjectOf(line);
          return folder === undefined ? html`${said}` : html`<a href="${`${folder}/${line.subject.id}`}">${said}</a>`;
        },
        value: subjectOf,
      },
      { title: words.details, cell: (line) => detailsOf(visit, line) },
    ],
  });
}

/** What has a page here. */
const FOLDERS: Readonly<Partial<Record<SubjectKind, string>>> = {
  order: MODERATION,
  account: ACCOUNTS,
  payout: PAYOUTS,
  contest: CONTESTS,
};

function detailsOf({ formats }: Visit, { details }: OperatorAction): string {
  const { amountKopecks, count, name, note, reason, reference } = details;
  const amount = amountKopecks === undefined ? undefined : formats.rubles(BigInt(amountKopecks));
  const times = count === undefined ? undefined : `× ${formats.count(count)}`;
  return [amount, times, name, note, reason, reference].filter((part) => part !== undefined).join(' · ');
}
