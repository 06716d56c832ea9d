import { type Bot, requireOwnBot } from '../../../modules/bots/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Crumb, idIn, type Visit } from '../visit.ts';

export const BOTS = '/console/bots';

/** The bot in the path, if it is the visitor's. */
export const botIn = ({ db }: Pick<ConsoleDeps, 'db'>, visit: Visit): Promise<Bot> =>
  requireOwnBot(db, { accountId: visit.owner.accountId, botId: idIn(visit) });

export const pathOf = ({ id }: Pick<Bot, 'id'>): string => `${BOTS}/${id}`;

export const botCrumbs = (visit: Visit, bot?: Bot): Crumb[] => [
  { label: visit.texts.menu.bots, href: BOTS },
  ...(bot === undefined ? [] : [{ label: `@${bot.username}`, href: pathOf(bot) }]),
];
