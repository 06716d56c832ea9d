import type { Queryable } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { type Kopecks, sumKopecks } from '../../core/money.ts';
import {
  type FoldedSum,
  type LedgerKind,
  listTransfersOf,
  type OwnerTransfer,
  type OwnerTransferKind,
  type TransferFilter,
  type TransferReferences,
} from '../ledger/index.ts';
import { type ReleaseGroup, type ReleaseUnit, readReleases } from './store.ts';

/** `earlier` is the sum of all folded transfers; no single transfer has this kind. */
type HistoryKind = OwnerTransferKind | 'earlier';

/** One transfer of an owner's money, or the sum of the folded transfers. */
export interface HistoryEntry extends TransferReferences {
  /** The id of the transfer; 0 for the sum of the folded transfers. */
  readonly id: number;
  readonly at: Date;
  readonly kind: HistoryKind;
  /** The change of the balance; 0 if only the hold changed. */
  readonly amountKopecks: Kopecks;
  /** The change of the hold. */
  readonly holdKopecks: Kopecks;
}

export interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** `before` of the next page; null on the last page. */
  readonly next: number | null;
}

const MAX_ENTRIES = 100;

/**
 * Returns the transfers of an owner's money. Pages continue by transfer id, so new transfers neither repeat nor skip an
 * entry. The last entry is the sum of the folded transfers, so that all entries add up to the balance.
 */
export async function listHistory(
  db: Queryable,
  {
    accountId,
    limit,
    before,
    filter = {},
  }: { accountId: number; limit: number; before?: number | undefined; filter?: TransferFilter },
): Promise<HistoryPage> {
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_ENTRIES, `1 to ${MAX_ENTRIES} entries, not ${limit}`);
  const { transfers, folded } = await listTransfersOf(db, { accountId, before, limit: limit + 1, filter });
  const page = transfers.slice(0, limit).map((transfer) => toEntry(transfer, accountId));
  // A filtered list does not add up to the balance, so it has no sum of the folded transfers.
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const rest = transfers.length > limit || folded === null || isFiltered ? [] : [earlierEntry(folded)];
  const hasMore = transfers.length + rest.length > limit;
  return { entries: [...page, ...rest].slice(0, limit), next: hasMore ? (page.at(-1)?.id ?? null) : null };
}

function toEntry(transfer: OwnerTransfer, accountId: number): HistoryEntry {
  const { key: _key, from: _from, to: _to, createdAt, ...facts } = transfer;
  return {
    ...facts,
    at: createdAt,
    amountKopecks: changeOf('available', accountId, transfer),
    holdKopecks: changeOf('hold', accountId, transfer),
  };
}

const earlierEntry = ({ availableKopecks, holdKopecks, lastAt }: FoldedSum): HistoryEntry => ({
  id: 0,
  at: lastAt,
  kind: 'earlier',
  amountKopecks: availableKopecks,
  holdKopecks,
  orderId: null,
  botId: null,
  userId: null,
  payoutId: null,
  contestId: null,
  place: null,
});

function changeOf(kind: LedgerKind, ownerId: number, { from, to, amountKopecks }: OwnerTransfer): Kopecks {
  if (to.kind === kind && to.ownerId === ownerId) return amountKopecks;
  return from.kind === kind && from.ownerId === ownerId ? -amountKopecks : 0n;
}

/**
 * Rewards that leave hold together: within the requested unit; without one at the same time, or within one hour if there
 * are more times than requested.
 * `releaseAt` is the first time and `untilAt` the last. An overdue release is due now.
 */
type UpcomingRelease = ReleaseGroup;

export interface UpcomingReleases {
  /** Soonest first. */
  readonly releases: readonly UpcomingRelease[];
  /** The total amount in hold. */
  readonly totalKopecks: Kopecks;
  /**
   * The part that leaves hold after the listed releases, or has no time yet because the advertiser's side has not
   * replied.
   */
  readonly laterKopecks: Kopecks;
}

const MAX_RELEASES = 100;
/** How many rewards in hold are read. Later ones appear when their time comes closer. */
const SAMPLE = 50_000;

/** Returns the rewards of a publisher that leave hold next, if their users stay. */
export async function listUpcomingReleases(
  db: Queryable,
  { accountId, now, limit, unit }: { accountId: number; now: Date; limit: number; unit?: ReleaseUnit | undefined },
): Promise<UpcomingReleases> {
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_RELEASES, `1 to ${MAX_RELEASES} releases, not ${limit}`);
  const { groups, read, holdKopecks } = await readReleases(db, { accountId, now, groups: limit, sample: SAMPLE, unit });
  // At the row limit the last group may be incomplete, so it is dropped unless it is the only one.
  const whole = read === SAMPLE && groups.length > 1 ? groups.slice(0, -1) : groups;
  const releases = whole.slice(0, limit);
  return {
    releases,
    totalKopecks: holdKopecks,
    laterKopecks: holdKopecks - sumKopecks(releases.map(({ amountKopecks }) => amountKopecks)),
  };
}
