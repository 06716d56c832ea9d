import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Devices } from '../devices/index.ts';
import { createClickCounter } from './click-counter.ts';
import { createVisitLearner } from './learn-visits.ts';
import { codeOfOrder } from './link.ts';
import { createLinkCache } from './link-cache.ts';
import type { Locator } from './locate.ts';
import { signPersonalToken } from './personal-token.ts';
import {
  checkHuman,
  type HumanCheck,
  type HumanCheckOutcome,
  type LinkVisit,
  type MiniAppOutcome,
  type MiniAppVisit,
  type VisitOutcome,
  visitLink,
  visitMiniApp,
} from './visit-link.ts';

/** The smart links of one process, with its link cache, click counter and visit learner. */
export interface SmartLinks {
  /** Returns without a promise when the link is cached. */
  visit(visit: LinkVisit): VisitOutcome | Promise<VisitOutcome>;
  visitMiniApp(visit: MiniAppVisit): Promise<MiniAppOutcome>;
  checkHuman(check: HumanCheck): Promise<HumanCheckOutcome>;
  /** Returns the path of a link for one user. The caller puts the public address before it. */
  personalPath(link: { code: string; userId: number }): string;
  /** Returns the path of an order's task link for one user. */
  personalTaskPath(task: { orderId: number; userId: number }): string;
  /** Returns the start parameter with which the Mini App leads one user to the task of an order. */
  personalStartParam(task: { orderId: number; userId: number }): string;
  invalidateLink(linkId: number): void;
  clearCache(): void;
  /** Waits until all clicks and profile values so far are written. */
  drain(): Promise<void>;
}

export interface SmartLinksDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly locator: Locator;
  readonly devices: Devices;
  /** The token of the bot that the Mini App belongs to. */
  readonly botToken: string;
  /** How long init data and personal links are valid. */
  readonly initDataSeconds: number;
  readonly personalLinkSeconds: number;
  readonly resolveOrderUrl: (orderId: number) => Promise<string | undefined>;
  /** Receives errors of background writes, which do not affect the visitor. */
  readonly onError: (error: unknown) => void;
}

export function createSmartLinks(deps: SmartLinksDeps): SmartLinks {
  const { db, clock, secrets, onError } = deps;
  const cache = createLinkCache(db);
  const counter = createClickCounter(db, onError);
  const learner = createVisitLearner(db);
  const parts = { ...deps, cache, counter, learner };

  function personalToken({ code, userId }: { code: string; userId: number }): string {
    return signPersonalToken(secrets, { userId, code, expiresAt: addSeconds(clock.now(), deps.personalLinkSeconds) });
  }
  const personalPath = (link: { code: string; userId: number }): string => `/l/${link.code}?t=${personalToken(link)}`;

  return {
    visit: (visit) => visitLink(parts, visit),
    visitMiniApp: (visit) => visitMiniApp(parts, visit),
    checkHuman: (check) => checkHuman(parts, check),
    personalPath,
    personalTaskPath: ({ orderId, userId }) => personalPath({ code: codeOfOrder(orderId), userId }),
    personalStartParam({ orderId, userId }) {
      const code = codeOfOrder(orderId);
      return `l_${code}_${personalToken({ code, userId })}`;
    },
    invalidateLink: cache.invalidate,
    clearCache: cache.clear,
    async drain() {
      await counter.drain();
      await learner.drain();
      await deps.devices.drain();
    },
  };
}
