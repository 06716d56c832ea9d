import { type Html, html } from '../../../core/html.ts';
import { type LedgerReport, verifyLedger } from '../../../modules/ledger/index.ts';
import { readPlatform } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { form } from '../parts/form.ts';
import { NOTHING, panel } from '../parts/pieces.ts';
import { buildTable, rowsShown } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Page, Visit } from '../visit.ts';
import { figuresTable } from './figures-table.ts';
import { BOOKS, FOR_OPERATORS } from './operator-path.ts';

const SHOWN_FAULTS = 100;
const DIFFERENCES = 'differences';

/** Whether the books are right, and how the platform does. */
export function booksPage(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  let running: Promise<LedgerReport> | undefined;
  /** It reads every transfer there is: whoever asks while it runs waits for the same answer. */
  function verify(): Promise<LedgerReport> {
    running ??= verifyLedger(db).finally(() => {
      running = undefined;
    });
    return running;
  }

  async function show(visit: Visit, report?: LedgerReport): Promise<Page> {
    const { texts } = visit;
    const figures = figuresTable(visit, await readPlatform({ db, clock }));
    const differences = report && !report.balanced ? differencesTable(visit, report) : undefined;
    return {
      title: texts.operator.menu.books,
      section: BOOKS,
      body: html`${verifier(visit, report)}${differences?.html ?? NOTHING}${figures.html}`,
      tables: [figures, ...(differences === undefined ? [] : [differences])],
    };
  }

  // The file of what differs is asked for with a link, so it is found out anew.
  router.page(
    BOOKS,
    async (visit) => show(visit, visit.csv === DIFFERENCES ? await verify() : undefined),
    FOR_OPERATORS,
  );
  router.action(BOOKS, async (visit) => show(visit, await verify()), { ...FOR_OPERATORS, back: () => BOOKS });
}

function verifier(visit: Visit, report: LedgerReport | undefined): Html {
  const words = visit.texts.operator.books;
  const button = form(visit, { action: BOOKS, submit: words.run, isInline: true });
  const body = html`${report === undefined ? NOTHING : verdict(visit, report)}<div class="buttons">${button}</div>`;
  return panel(words.verify, body, { note: words.verifyNote });
}

function verdict({ texts, formats }: Visit, { balanced, accounts, faults, totalKopecks }: LedgerReport): Html {
  const words = texts.operator.books;
  if (balanced) {
    return html`<p class="flash good" role="status">${words.balanced(formats.count(accounts.length))}</p>`;
  }
  const items = faults.slice(0, SHOWN_FAULTS).map((fault) => html`<li>${fault}</li>`);
  return html`<p class="flash bad" role="alert">${words.unbalanced(formats.count(faults.length))} ${words.total(formats.rubles(totalKopecks))}</p><details class="more"><summary>${words.faults}</summary><ul class="plain-list">${items}</ul></details>`;
}

function differencesTable(visit: Visit, { accounts }: LedgerReport): BuiltTable {
  const { rubles } = visit.formats;
  const words = visit.texts.operator.books;
  const differing = accounts.filter(({ storedKopecks, recomputedKopecks }) => storedKopecks !== recomputedKopecks);
  const money = (title: string, kopecksOf: (account: LedgerReport['accounts'][number]) => bigint) => ({
    title,
    cell: (account: LedgerReport['accounts'][number]) => rubles(kopecksOf(account)),
    value: kopecksOf,
    isFigure: true,
  });
  return buildTable(visit, {
    name: DIFFERENCES,
    title: words.differing,
    empty: words.noneDiffer,
    rows: rowsShown(visit, DIFFERENCES, differing),
    columns: [
      { title: words.kind, cell: ({ kind }) => words.kinds[kind] },
      { title: words.ownerId, cell: ({ ownerId }) => String(ownerId), value: ({ ownerId }) => ownerId, isFigure: true },
      money(words.stored, ({ storedKopecks }) => storedKopecks),
      money(words.recomputed, ({ recomputedKopecks }) => recomputedKopecks),
      money(words.difference, ({ storedKopecks, recomputedKopecks }) => storedKopecks - recomputedKopecks),
    ],
  });
}
