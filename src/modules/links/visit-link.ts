import type { Clock } from '../../core/clock.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Devices } from '../devices/index.ts';
import type { ClickCounter } from './click-counter.ts';
import { deviceOnPlatform, readUserAgent } from './device.ts';
import { type InitData, readInitData } from './init-data.ts';
import type { VisitLearner } from './learn-visits.ts';
import { type Link, type LinkRule, orderOfCode, type Visitor } from './link.ts';
import type { LinkCache } from './link-cache.ts';
import type { Locator } from './locate.ts';
import { type PersonalToken, readPersonalToken } from './personal-token.ts';
import { chooseUrl, normalizeUrl } from './rules.ts';

interface VisitDeps {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly cache: LinkCache;
  readonly locator: Locator;
  readonly counter: ClickCounter;
  readonly learner: VisitLearner;
  readonly devices: Devices;
  /** Returns the link of an order's task, or `undefined` when the order does not exist. */
  readonly resolveOrderUrl: (orderId: number) => Promise<string | undefined>;
  readonly onError: (error: unknown) => void;
}

export interface LinkVisit {
  readonly code: string;
  /** The personal token, as the client sent it. */
  readonly token: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Whether the visitor was told, where the link was shown, that the device is recognised again. */
  readonly hasConsent: boolean;
  /** No person sees the page: a HEAD request or a browser prefetch. */
  readonly isPreview: boolean;
  /** Called and awaited before a query for this code. An error that it throws ends the visit. */
  readonly beforeQuery: () => Promise<void> | undefined;
}

export type VisitOutcome =
  | { readonly kind: 'redirect'; readonly url: string; readonly token: PersonalToken['kind'] | 'none' }
  | { readonly kind: 'not_found' };

/**
 * Chooses the destination of a visitor. Counts only visits by people, and stores profile values only with a valid
 * token. A visit with an invalid token is redirected like an anonymous one.
 */
export function visitLink(deps: VisitDeps, visit: LinkVisit): VisitOutcome | Promise<VisitOutcome> {
  const now = deps.clock.now();
  const token = visit.token === undefined ? NO_TOKEN : readPersonalToken(deps.secrets, visit.token, visit.code, now);
  // A cached link returns without a promise, because a promise would double the cost of the decision.
  const link = deps.cache.cached(visit.code);
  if (link !== undefined && link !== null) return goTo(deps, targetOf(link), visit, token, now);
  return findTarget(deps, visit.code, token.kind, visit.beforeQuery).then((found) =>
    goTo(deps, found, visit, token, now),
  );
}

function goTo(
  deps: VisitDeps,
  target: Target | undefined,
  visit: LinkVisit,
  token: PersonalToken | typeof NO_TOKEN,
  now: Date,
): VisitOutcome {
  if (target === undefined) return { kind: 'not_found' };
  const agent = readUserAgent(visit.userAgent);
  const { country, city } = deps.locator.locate(visit.address);
  const who: Visitor = { country, city, deviceType: agent.deviceType, os: agent.os };
  if (!visit.isPreview && !agent.isAutomatic) {
    if (target.linkId !== undefined) deps.counter.count(target.linkId, who, now);
    if (token.kind === 'valid') {
      deps.learner.learn({ userId: token.userId, who, source: 'smart_link', at: now }).catch(deps.onError);
      const { address, hasConsent } = visit;
      deps.devices.seeLinkVisit({ userId: token.userId, address, hasConsent, at: now });
    }
  }
  return { kind: 'redirect', url: chooseUrl(target, who), token: token.kind };
}

const NO_TOKEN = { kind: 'none' } as const;

/** The destination of a code. The task link of an order has no row, so its clicks are not counted here. */
interface Target {
  readonly linkId: number | undefined;
  readonly url: string;
  readonly rules: readonly LinkRule[];
}

function targetOf({ id, url, rules }: Link): Target {
  return { linkId: id, url, rules };
}

/**
 * Returns the destination of a code. The link of an order needs a token that we signed for this code: order ids are
 * consecutive and the links may be private invitations, so a client could otherwise list them all. An expired token is
 * enough, because its holder has already seen the link.
 */
async function findTarget(
  { cache, resolveOrderUrl }: Pick<VisitDeps, 'cache' | 'resolveOrderUrl'>,
  code: string,
  token: PersonalToken['kind'] | 'none',
  beforeQuery: LinkVisit['beforeQuery'] = () => undefined,
): Promise<Target | undefined> {
  const orderId = orderOfCode(code);
  if (orderId !== undefined) {
    const link = token === 'valid' || token === 'expired' ? await resolveOrderUrl(orderId) : undefined;
    const url = link === undefined ? undefined : normalizeUrl(link);
    return url === undefined ? undefined : { linkId: undefined, url, rules: [] };
  }
  const link = await cache.find(code, beforeQuery);
  return link === null ? undefined : targetOf(link);
}

interface MiniAppDeps extends VisitDeps {
  /** Telegram signs init data with the token of the bot that the Mini App belongs to. */
  readonly botToken: string;
  readonly initDataSeconds: number;
}

export interface MiniAppVisit {
  readonly initData: string;
  /** `tgWebAppPlatform` of the launch parameters. It is not signed, so it only determines the device. */
  readonly platform: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
}

export type MiniAppOutcome =
  | {
      readonly kind: 'welcome';
      readonly redirect: string | undefined;
      /** Given when the user should pass the human check first. */
      readonly challenge: string | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: Exclude<InitData['kind'], 'valid'> };

/**
 * Stores the profile values of the signed user and returns the destination of the link that opened the Mini App, if
 * any.
 */
export async function visitMiniApp(deps: MiniAppDeps, visit: MiniAppVisit): Promise<MiniAppOutcome> {
  const now = deps.clock.now();
  const init = readSigned(deps, visit.initData, now);
  if (init.kind !== 'valid') return { kind: 'refused', reason: init.kind };

  const device = deviceOnPlatform(visit.platform, readUserAgent(visit.userAgent));
  const who: Visitor = { ...deps.locator.locate(visit.address), ...device };
  // The redirect does not depend on these writes. A replay says nothing: it may come from another person's device.
  const opening = { userId: init.userId, initHash: init.hash, address: visit.address, at: now };
  try {
    const isNew = await deps.devices.seeOpening(opening);
    if (isNew) await deps.learner.learn({ userId: init.userId, who, source: 'mini_app', at: now });
  } catch (error) {
    deps.onError(error);
  }
  const isVoluntary = init.startParam === VOLUNTARY_CHECK;
  const challenge = deps.devices.challengeFor(init.userId, { isVoluntary }).catch((error: unknown) => {
    deps.onError(error);
    return undefined;
  });
  return {
    kind: 'welcome',
    redirect: await findRedirect(deps, init.startParam, who, now),
    challenge: await challenge,
  };
}

/** Opens the Mini App for the human check alone: `https://t.me/<bot>?startapp=check`. */
const VOLUNTARY_CHECK = 'check';

/** Reads init data and counts what Telegram did not sign, or signed too long ago. */
function readSigned(deps: MiniAppDeps, initData: string, now: Date): InitData {
  const { botToken, initDataSeconds: maxAgeSeconds } = deps;
  const init = readInitData(initData, { botToken, maxAgeSeconds, now });
  if (init.kind === 'invalid') deps.devices.ignore('forged_init_data');
  if (init.kind === 'expired') deps.devices.ignore('expired_init_data');
  return init;
}

export interface HumanCheck extends MiniAppVisit {
  readonly challenge: string;
  readonly hasConsent: boolean;
  /** The device signals as the page sent them. */
  readonly device: unknown;
}

export type HumanCheckOutcome =
  | { readonly kind: 'checked'; readonly userId: number; readonly isPassed: boolean }
  | { readonly kind: 'refused'; readonly reason: Exclude<InitData['kind'], 'valid'> };

/** Lets the signed user pass the human check. Device data that is not believed is ignored, and the user goes on. */
export async function checkHuman(deps: MiniAppDeps, check: HumanCheck): Promise<HumanCheckOutcome> {
  const at = deps.clock.now();
  const init = readSigned(deps, check.initData, at);
  if (init.kind !== 'valid') return { kind: 'refused', reason: init.kind };
  const { userId, hash: initHash } = init;
  const { isAutomatic } = readUserAgent(check.userAgent);
  const isPassed = await deps.devices.passCheck({ ...check, userId, initHash, isAutomatic, at });
  return { kind: 'checked', userId, isPassed };
}

/** `l_<code>`, or `l_<code>_<personal token>` for the codes that need one. */
const START_PARAM = /^l_([A-Za-z0-9-]+)(?:_([\w-]+))?$/;

async function findRedirect(
  deps: MiniAppDeps,
  startParam: string | undefined,
  who: Visitor,
  now: Date,
): Promise<string | undefined> {
  const [, code, token] = START_PARAM.exec(startParam ?? '') ?? [];
  if (code === undefined) return undefined;
  const kind = token === undefined ? 'none' : readPersonalToken(deps.secrets, token, code, now).kind;
  const target = await findTarget(deps, code, kind);
  if (target === undefined) return undefined;
  if (target.linkId !== undefined) deps.counter.count(target.linkId, who, now);
  return chooseUrl(target, who);
}
