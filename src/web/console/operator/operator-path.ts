import { type Html, html } from '../../../core/html.ts';
import type { AccountSummary } from '../../../modules/accounts/index.ts';
import type { ByOperator } from '../../../modules/operators/index.ts';
import { badge, NOTHING, when } from '../parts/pieces.ts';
import type { Visit } from '../visit.ts';

export const OPERATOR = '/console/operator';
export const MODERATION = `${OPERATOR}/orders`;
export const PAYOUTS = `${OPERATOR}/payouts`;
export const ACCOUNTS = `${OPERATOR}/accounts`;
export const CONTESTS = `${OPERATOR}/contests`;
export const DEBTORS = `${OPERATOR}/debtors`;
export const REVERSALS = `${OPERATOR}/reversals`;
export const LOG = `${OPERATOR}/log`;
export const BOOKS = `${OPERATOR}/books`;

/** Of every route in this folder: for everybody else there is no such page. */
export const FOR_OPERATORS = { isForOperators: true } as const;

/** Who decides, for the record. */
export const by = ({ owner }: Visit): ByOperator => ({ operatorId: owner.telegramUserId });

export const accountLink = ({ texts }: Visit, id: number): Html =>
  html`<a href="${`${ACCOUNTS}/${id}`}">${texts.operator.account(id)}</a>`;

/** Whose something is. */
export function ownerOf(visit: Visit, accountId: number, account: AccountSummary | undefined): Html {
  const { isBanned } = visit.texts.operator;
  if (account === undefined) return accountLink(visit, accountId);
  return html`${account.name}, ${accountLink(visit, accountId)}${when(account.bannedAt !== null, () => html` ${badge('bad', isBanned)}`)}`;
}

/** What an advertiser gave as a link is one only when it leads to a website. */
export const outside = (url: string): Html =>
  URL.canParse(url) && url.startsWith('https://')
    ? html`<a href="${url}" rel="noreferrer" target="_blank">${url}</a>`
    : html`${url}`;

/** Lists of operators go on behind the row named; what else was asked for stays asked for. */
export function onward(visit: Visit, next: number | undefined): Html {
  const { onward: on, toStart } = visit.texts.operator;
  const isFirst = !visit.query.has('after');
  if (next === undefined && isFirst) return NOTHING;
  const start = when(!isFirst, () => html`<a class="button" href="${pageAt(visit, undefined)}">${toStart}</a>`);
  const more =
    next === undefined ? NOTHING : html`<a class="button" href="${pageAt(visit, next)}" rel="next">${on}</a>`;
  return html`<nav class="buttons" aria-label="${visit.texts.common.pages}">${start}${more}</nav>`;
}

function pageAt({ path, query }: Visit, after: number | undefined): string {
  const wanted = new URLSearchParams(query);
  wanted.delete('after');
  if (after !== undefined) wanted.set('after', String(after));
  return wanted.size === 0 ? path : `${path}?${wanted}`;
}
