import { type Bot, requireOwnBot } from '../../../modules/bots/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Tone } from '../parts/elements.ts';
import { type Crumb, readId, type Visit } from '../visit.ts';

export const BOTS = '/console/bots';

/** Returns the bot in the path; throws unless it belongs to the visitor. */
export const requireBot = (db: ConsoleDeps['db'], visit: Visit): Promise<Bot> =>
  requireOwnBot(db, { accountId: visit.owner.accountId, botId: readId(visit) });

export const pathOf = ({ id }: Pick<Bot, 'id'>): string => `${BOTS}/${id}`;

export const botCrumbs = (visit: Visit, bot?: Bot): [Crumb, ...Crumb[]] => [
  { label: visit.texts.menu.bots, href: BOTS },
  ...(bot === undefined ? [] : [{ label: `@${bot.username}`, href: pathOf(bot) }]),
];

export const botBadge = ({ texts }: Visit, { isActive }: { isActive: boolean }): readonly [Tone, string] =>
  isActive ? ['good', texts.bots.on] : ['warn', texts.bots.off];
