import { type Html, html } from '../../../core/html.ts';
import { type HistoryEntry, type HistoryPage, listHistory } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { NOTHING } from '../parts/pieces.ts';
import { buildTable, FILE_ROWS, PAGE_ROWS } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { cursorIn, type Visit } from '../visit.ts';

const HISTORY = '/console/history';
/** As many as a report of the history gives at once. */
const AT_ONCE = 100;

/** Every movement of the owner's money. */
export function historyPages(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(HISTORY, async (visit) => {
    const { texts, formats, owner } = visit;
    const words = texts.history;
    const { accountId } = owner;
    const page =
      visit.csv === undefined
        ? await listHistory(db, { accountId, limit: PAGE_ROWS, before: cursorIn(visit.query) })
        : { entries: await readAll(accountId), next: null };
    const signed = (kopecks: bigint): string =>
      kopecks === 0n ? '' : `${kopecks > 0n ? '+' : ''}${formats.rubles(kopecks)}`;
    const table = buildTable(visit, {
      name: 'history',
      title: words.title,
      note: words.note,
      rows: page.entries,
      empty: words.empty,
      next: page.next === null ? undefined : `before=${page.next}`,
      columns: [
        { title: texts.common.time, cell: ({ at }) => formats.moment(at), value: ({ at }) => at },
        { title: words.what, cell: ({ kind }) => words.kinds[kind] },
        {
          title: words.available,
          cell: ({ amountKopecks }) => signed(amountKopecks),
          value: ({ amountKopecks }) => amountKopecks,
          isFigure: true,
        },
        {
          title: words.hold,
          cell: ({ holdKopecks }) => signed(holdKopecks),
          value: ({ holdKopecks }) => holdKopecks,
          isFigure: true,
        },
        {
          title: words.about,
          cell: (entry) => aboutOf(visit, entry),
          value: (entry) => plainAbout(visit, entry),
        },
        {
          title: words.transfer,
          cell: ({ id }) => (id === 0 ? '' : String(id)), // the sum of those too old to be listed
          value: ({ id }) => id,
          isFigure: true,
        },
      ],
    });
    return { title: texts.menu.history, section: HISTORY, body: table.html, tables: [table] };
  });

  async function readAll(accountId: number): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    let before: number | undefined;
    while (entries.length < FILE_ROWS) {
      const page: HistoryPage = await listHistory(db, { accountId, limit: AT_ONCE, before });
      entries.push(...page.entries);
      if (page.next === null) break;
      before = page.next;
    }
    return entries;
  }
}

interface About {
  readonly text: string;
  readonly href?: string;
}

/** What a movement has to do with; what is the owner's own is a link. */
function aboutIn(
  { texts }: Visit,
  { kind, orderId, botId, userId, payoutId, contestId, place }: HistoryEntry,
): About[] {
  const words = texts.history;
  const isOwnOrder = kind === 'order_funded' || kind === 'order_topped_up' || kind === 'order_refunded';
  return [
    ...(orderId === null
      ? []
      : [{ text: words.order(orderId), ...(isOwnOrder && { href: `/console/orders/${orderId}` }) }]),
    ...(botId === null ? [] : [{ text: words.bot(botId), href: `/console/bots/${botId}` }]),
    ...(userId === null ? [] : [{ text: words.user(userId) }]),
    ...(payoutId === null ? [] : [{ text: words.payout(payoutId), href: '/console/payouts' }]),
    ...(contestId === null ? [] : [{ text: words.contest(contestId, place ?? 0) }]),
  ];
}

function aboutOf(visit: Visit, entry: HistoryEntry): Html {
  const pieces = aboutIn(visit, entry).map(
    ({ text, href }, index) =>
      html`${index === 0 ? '' : ', '}${href === undefined ? text : html`<a href="${href}">${text}</a>`}`,
  );
  return pieces.length === 0 ? NOTHING : html`${pieces}`;
}

const plainAbout = (visit: Visit, entry: HistoryEntry): string =>
  aboutIn(visit, entry)
    .map(({ text }) => text)
    .join(', ');
