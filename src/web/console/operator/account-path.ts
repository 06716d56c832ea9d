import { ApiError } from '../../../core/errors.ts';
import type { Crumb, Visit } from '../visit.ts';
import { ACCOUNTS } from './operator-path.ts';

export const accountPath = (id: number): string => `${ACCOUNTS}/${id}`;
export const accountNotFound = (): ApiError => new ApiError('account_not_found', 'There is no such account.');

export const accountCrumbs = ({ texts }: Visit, id?: number): [Crumb, ...Crumb[]] => [
  { label: texts.operator.menu.accounts, href: ACCOUNTS },
  ...(id === undefined ? [] : [{ label: texts.operator.accounts.numbered(id), href: accountPath(id) }]),
];
