import { ApiError } from '../../../core/errors.ts';
import { findLink, type Link } from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Crumb, readId, type Visit } from '../visit.ts';

export const LINKS = '/console/links';

export const pathOf = ({ id }: Pick<Link, 'id'>): string => `${LINKS}/${id}`;

export const linkNotFound = (): ApiError => new ApiError('link_not_found', 'You have no such link.');

/** Returns the link in the path; throws unless it belongs to the visitor. */
export async function requireLink(db: ConsoleDeps['db'], visit: Visit): Promise<Link> {
  const link = await findLink(db, { linkId: readId(visit), accountId: visit.owner.accountId });
  if (link === undefined) throw linkNotFound();
  return link;
}

/** Returns the name of the link, or its code when it has no name. */
export const nameOf = ({ name, code }: Link): string => (name === '' ? code : name);

export const linkCrumbs = (visit: Visit, link?: Link): [Crumb, ...Crumb[]] => [
  { label: visit.texts.menu.links, href: LINKS },
  ...(link === undefined ? [] : [{ label: nameOf(link), href: pathOf(link) }]),
];
