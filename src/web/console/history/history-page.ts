import { addDays } from '../../../core/clock.ts';
import { type Html, html } from '../../../core/html.ts';
import { OWNER_TRANSFER_KINDS, type TransferFilter } from '../../../modules/ledger/index.ts';
import { type HistoryEntry, type HistoryPage, listHistory } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { queryForm, selectField, textField } from '../parts/form.ts';
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
    const filter = readFilter(visit.query);
    const page =
      visit.csv === undefined
        ? await listHistory(db, { accountId, limit: PAGE_ROWS, before: readCursor(visit.query), filter })
        : { entries: await readAll(accountId, filter), next: null };
    const signed = (kopecks: bigint): string =>
      kopecks === 0n ? '' : `${kopecks > 0n ? '+' : ''}${formats.rubles(kopecks)}`;
    const table = buildTable(visit, {
      name: 'history',
      title: words.title,
      note: words.note,
      rows: page.entries,
      empty: words.empty,
      lead: filterForm(visit),
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

  async function readAll(accountId: number, filter: TransferFilter): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    let before: number | undefined;
    while (entries.length < FILE_ROWS) {
      const page: HistoryPage = await listHistory(db, { accountId, limit: MAX_ENTRIES, before, filter });
      entries.push(...page.entries);
      if (page.next === null) break;
      before = page.next;
    }
    return entries;
  }
}

/** Reads the filter from the query; a field that is wrong does not filter. */
function readFilter(query: URLSearchParams): TransferFilter {
  const midnight = (name: string): Date | undefined => {
    const text = query.get(name) ?? '';
    const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00+03:00`) : undefined;
    return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
  };
  const until = midnight('until');
  const about = query.get('about')?.trim() ?? '';
  return {
    kind: OWNER_TRANSFER_KINDS.find((kind) => kind === query.get('kind')),
    from: midnight('from'),
    until: until && addDays(until, 1),
    about: /^[1-9]\d{0,14}$/.test(about) ? Number(about) : undefined,
  };
}

function filterForm({ query, texts, shared }: Visit): Html {
  const words = texts.history.filter;
  const value = (name: string): string => query.get(name) ?? '';
  const kinds = OWNER_TRANSFER_KINDS.map((kind) => ({ value: kind, label: shared.transfers.kinds[kind] }));
  const fields = html`${selectField({ name: 'kind', label: words.kind, value: value('kind'), choices: [{ value: '', label: words.all }, ...kinds] })}
    ${textField({ name: 'from', label: words.from, type: 'date', value: value('from') })}${textField({ name: 'until', label: words.until, type: 'date', value: value('until') })}
    ${textField({ name: 'about', label: words.about, hint: words.aboutHint, value: value('about'), inputMode: 'numeric', maxLength: 15 })}`;
  const isFiltered = ['kind', 'from', 'until', 'about'].some((name) => value(name) !== '');
  return html`<div class="filter-row">${queryForm({ action: HISTORY, fields, submit: words.show, role: 'search', style: '' })}${isFiltered && html`<a class="quiet-button" href="${HISTORY}">${words.clear}</a>`}</div>`;
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
