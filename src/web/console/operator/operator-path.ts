import { type Html, html } from '../../../core/html.ts';
import type { AccountSummary } from '../../../modules/accounts/index.ts';
import type { ByOperator } from '../../../modules/operators/index.ts';
import { badge } from '../parts/elements.ts';
import type { Visit } from '../visit.ts';

export const OPERATOR = '/console/operator';
export const MODERATION = `${OPERATOR}/orders`;
export const RUNNING = `${OPERATOR}/running`;
export const PAYOUTS = `${OPERATOR}/payouts`;
export const CASES = `${OPERATOR}/cases`;
export const ACCOUNTS = `${OPERATOR}/accounts`;
export const CONTESTS = `${OPERATOR}/contests`;
export const DEBTORS = `${OPERATOR}/debtors`;
export const REVERSALS = `${OPERATOR}/reversals`;
export const CHECKERS = `${OPERATOR}/checkers`;
export const LOG = `${OPERATOR}/log`;
export const BOOKS = `${OPERATOR}/books`;

/** Names the operator for the audit log. */
export const byOperator = ({ owner }: Visit): ByOperator => ({ operatorId: owner.telegramUserId });

export const accountLink = ({ texts }: Visit, id: number): Html =>
  html`<a href="${`${ACCOUNTS}/${id}`}">${texts.operator.account(id)}</a>`;

export function ownerLink(visit: Visit, accountId: number, account: AccountSummary | undefined): Html {
  if (account === undefined) return accountLink(visit, accountId);
  const banned = account.bannedAt !== null && html` ${badge('bad', visit.texts.operator.isBanned)}`;
  return html`${account.name}, ${accountLink(visit, accountId)}${banned}`;
}

/** Links an advertiser's address only when it is a website, so that `javascript:` stays text. */
export const externalLink = (url: string): Html =>
  URL.canParse(url) && url.startsWith('https://')
    ? html`<a href="${url}" rel="noreferrer" target="_blank">${url}</a>`
    : html`${url}`;
