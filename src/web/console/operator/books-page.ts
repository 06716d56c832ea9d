import { type Html, html } from '../../../core/html.ts';
import { type LedgerReport, verifyLedger } from '../../../modules/ledger/index.ts';
import { type PlatformFigures, readPlatform } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buttons, panel } from '../parts/elements.ts';
import { form } from '../parts/form.ts';
import { buildTable, pageOf } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Page, Visit } from '../visit.ts';
import { BOOKS } from './operator-path.ts';

const SHOWN_FAULTS = 100;
const DIFFERENCES = 'differences';

/** Verifies the ledger and shows the figures of the platform. */
export function booksPage(router: ConsoleRouter, { db, reports, clock }: ConsoleDeps): void {
  let running: Promise<LedgerReport> | undefined;
  /** The verifier reads the whole ledger, so requests that arrive while it runs share its result. */
  function verify(): Promise<LedgerReport> {
    running ??= verifyLedger(reports).finally(() => {
      running = undefined;
    });
    return running;
  }

  async function show(visit: Visit, report?: LedgerReport): Promise<Page> {
    const figures = figuresTable(visit, await readPlatform({ db, reports, clock }));
    const differences = report && !report.balanced ? differencesTable(visit, report) : undefined;
    return {
      title: visit.texts.operator.menu.books,
      body: html`${verifierPanel(visit, report)}${differences?.html}${figures.html}`,
      tables: [figures, ...(differences === undefined ? [] : [differences])],
      figuresAgeSeconds: reports.ageSeconds(),
    };
  }

  // The file of differences is downloaded with a link, so the verifier runs again.
  router.page(BOOKS, async (visit) => show(visit, visit.csv === DIFFERENCES ? await verify() : undefined));
  router.action(BOOKS, async (visit) => show(visit, await verify()), { back: () => BOOKS });
}

function verifierPanel(visit: Visit, report: LedgerReport | undefined): Html {
  const words = visit.texts.operator.books;
  const run = form(visit, { action: BOOKS, submit: words.run, isInline: true });
  return panel(words.verify, html`${report && result(visit, report)}${buttons(run)}`, { note: words.verifyNote });
}

function result({ texts, shared, formats }: Visit, { balanced, accounts, faults, totalKopecks }: LedgerReport): Html {
  const words = texts.operator.books;
  const { ledger } = shared.operator;
  if (balanced) {
    return html`<p class="flash good" role="status">${ledger.balanced(formats.count(accounts.length))}</p>`;
  }
  const items = faults.slice(0, SHOWN_FAULTS).map((fault) => html`<li>${fault}</li>`);
  return html`<p class="flash bad" role="alert">${ledger.unbalanced(formats.count(faults.length))} ${words.total(formats.rubles(totalKopecks))}</p><details class="more"><summary>${words.faults}</summary><ul class="plain-list">${items}</ul></details>`;
}

function differencesTable(visit: Visit, { accounts }: LedgerReport): BuiltTable {
  const words = visit.texts.operator.books;
  const differing = accounts.filter(({ storedKopecks, recomputedKopecks }) => storedKopecks !== recomputedKopecks);
  return buildTable(visit, {
    name: DIFFERENCES,
    title: words.differing,
    empty: words.noneDiffer,
    rows: pageOf(visit, DIFFERENCES, differing).rows,
    columns: ({ text, id, rubles }) => [
      text(words.kind, ({ kind }) => words.kinds[kind]),
      id(words.ownerId, ({ ownerId }) => ownerId),
      rubles(words.stored, ({ storedKopecks }) => storedKopecks),
      rubles(words.recomputed, ({ recomputedKopecks }) => recomputedKopecks),
      rubles(words.difference, ({ storedKopecks, recomputedKopecks }) => storedKopecks - recomputedKopecks),
    ],
  });
}

type Platform = Awaited<ReturnType<typeof readPlatform>>;

const PERIODS = ['last7Days', 'last30Days', 'allTime'] as const;

/** The figures of a row by period. A `bigint` is kopecks, a number is a count. */
const ROWS = {
  subscriptions: ({ subscriptions }) => subscriptions,
  reversals: ({ reversals }) => reversals,
  turnover: ({ turnoverKopecks }) => turnoverKopecks,
  revenue: ({ revenueKopecks }) => revenueKopecks,
  margin: ({ turnoverKopecks, revenueKopecks }) => turnoverKopecks - revenueKopecks,
  payouts: ({ payoutsKopecks }) => payoutsKopecks,
  bots: ({ activeBots }) => activeBots,
  orders: ({ activeOrders }) => activeOrders,
  users: ({ uniqueUsers }) => uniqueUsers,
} satisfies Record<string, (figures: PlatformFigures) => number | bigint>;

/** The figures of the platform, with one column per period. */
function figuresTable(visit: Visit, platform: Platform): BuiltTable {
  const { rubles, count } = visit.formats;
  const words = visit.texts.operator.books;
  const rows = Object.keys(ROWS) as (keyof typeof ROWS)[];
  return buildTable(visit, {
    name: 'figures',
    title: words.figures,
    note: words.figuresNote,
    empty: visit.texts.common.nothing,
    rows,
    columns: ({ text }) => [
      text(words.figure, (row) => words.rows[row]),
      ...PERIODS.map((period) => {
        const value = (row: keyof typeof ROWS): number | bigint => ROWS[row](platform[period]);
        return {
          title: visit.shared.operator.periods[period],
          cell: (row: keyof typeof ROWS) => {
            const figure = value(row);
            return typeof figure === 'bigint' ? rubles(figure) : count(figure);
          },
          value,
          isFigure: true,
        };
      }),
    ],
  });
}
