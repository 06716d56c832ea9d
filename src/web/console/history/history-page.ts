import { type Html, html } from '../../../core/html.ts';
import { type HistoryEntry, type HistoryPage, listHistory } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buildTable, FILE_ROWS, PAGE_ROWS } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { readCursor, type Visit } from '../visit.ts';

const HISTORY = '/console/history';
/** The most entries that one call of `listHistory` returns. */
const MAX_ENTRIES = 100;

/** Lists every transfer of the owner's money. */
export function historyPage(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(HISTORY, async (visit) => {
    const { texts, shared, formats } = visit;
    const words = texts.history;
    const { accountId } = visit.owner;
    const page =
      visit.csv === undefined
        ? await listHistory(db, { accountId, limit: PAGE_ROWS, before: readCursor(visit.query) })
        : { entries: await readAll(accountId), next: null };
    const signed = (kopecks: bigint): string =>
      kopecks === 0n ? '' : `${kopecks > 0n ? '+' : ''}${formats.rubles(kopecks)}`;
    const table = buildTable(visit, {
      name: 'history',
      title: words.title,
      note: words.note,
      rows: page.entries,
      empty: words.empty,
      next: page.next === null ? undefined : { before: page.next },
      columns: ({ time, text, rubles, id }) => [
        time(texts.common.time, ({ at }) => at),
        text(words.what, ({ kind }) => shared.transfers.kinds[kind]),
        {
          ...rubles(words.available, ({ amountKopecks }) => amountKopecks),
          cell: ({ amountKopecks }) => signed(amountKopecks),
        },
        { ...rubles(words.hold, ({ holdKopecks }) => holdKopecks), cell: ({ holdKopecks }) => signed(holdKopecks) },
        {
          title: words.about,
          cell: (entry) => linkSubjects(subjectsOf(visit, entry)),
          value: (entry) =>
            subjectsOf(visit, entry)
              .map((subject) => subject.text)
              .join(', '),
        },
        {
          ...id(words.transfer, (entry) => entry.id),
          // The sum of transfers that are too old to be listed has no number.
          cell: (entry) => (entry.id === 0 ? '' : String(entry.id)),
        },
      ],
    });
    return { title: texts.menu.history, body: table.html, tables: [table] };
  });

  async function readAll(accountId: number): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    let before: number | undefined;
    while (entries.length < FILE_ROWS) {
      const page: HistoryPage = await listHistory(db, { accountId, limit: MAX_ENTRIES, before });
      entries.push(...page.entries);
      if (page.next === null) break;
      before = page.next;
    }
    return entries;
  }
}

interface Subject {
  readonly text: string;
  readonly href?: string;
}

/** Returns the order, bot, user, payout and contest of a transfer; the owner's own ones have a link. */
function subjectsOf(
  { shared }: Visit,
  { kind, orderId, botId, userId, payoutId, contestId, place }: HistoryEntry,
): Subject[] {
  const words = shared.transfers;
  const isOwnOrder = kind === 'order_funded' || kind === 'order_topped_up' || kind === 'order_refunded';
  const subjects: Subject[] = [];
  if (orderId !== null) {
    subjects.push({ text: words.order(orderId), ...(isOwnOrder && { href: `/console/orders/${orderId}` }) });
  }
  if (botId !== null) subjects.push({ text: words.bot(botId), href: `/console/bots/${botId}` });
  if (userId !== null) subjects.push({ text: words.user(userId) });
  if (payoutId !== null) subjects.push({ text: words.payout(payoutId), href: '/console/payouts' });
  if (contestId !== null) subjects.push({ text: words.contest(contestId, place ?? 0) });
  return subjects;
}

function linkSubjects(subjects: readonly Subject[]): Html {
  const links = subjects.map(
    ({ text, href }, index) =>
      html`${index > 0 && ', '}${href === undefined ? text : html`<a href="${href}">${text}</a>`}`,
  );
  return html`${links}`;
}
