import { type InitData, readInitData } from './init-data.ts';
import type { Visitor } from './link.ts';
import { readPersonalToken } from './personal-token.ts';
import { deviceOnPlatform } from './platform.ts';
import { chooseUrl } from './rules.ts';
import { readUserAgent } from './user-agent.ts';
import { findTarget, type VisitDeps } from './visit-link.ts';

export interface MiniAppDeps extends VisitDeps {
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
  | { readonly kind: 'welcome'; readonly redirect: string | undefined }
  | { readonly kind: 'refused'; readonly reason: Exclude<InitData['kind'], 'valid'> };

/**
 * Stores the profile values of the signed user and returns the destination of the link that opened the Mini App, if
 * any.
 */
export async function visitMiniApp(deps: MiniAppDeps, visit: MiniAppVisit): Promise<MiniAppOutcome> {
  const now = deps.clock.now();
  const { botToken, initDataSeconds: maxAgeSeconds } = deps;
  const init = readInitData(visit.initData, { botToken, maxAgeSeconds, now });
  if (init.kind !== 'valid') return { kind: 'refused', reason: init.kind };

  const device = deviceOnPlatform(visit.platform, readUserAgent(visit.userAgent));
  const who: Visitor = { ...deps.locator.locate(visit.address), ...device };
  // The redirect does not depend on this write.
  await deps.learner.learn({ userId: init.userId, who, source: 'mini_app', at: now }).catch(deps.onError);
  return { kind: 'welcome', redirect: await findRedirect(deps, init.startParam, who, now) };
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
