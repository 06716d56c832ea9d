import { openCases } from '../../modules/cases/index.ts';
import { type ContestDeps, createLiveStandings, finishContests } from '../../modules/contests/index.ts';
import { contestRoutes } from '../../modules/contests/routes.ts';
import type { Postback } from '../../modules/orders/index.ts';
import { orderRoutes } from '../../modules/orders/routes.ts';
import {
  createCryptoPay,
  type PayoutDeps,
  reconcileInvoices,
  sendApprovedPayouts,
} from '../../modules/payouts/index.ts';
import { cryptoPayWebhook, payoutRoutes } from '../../modules/payouts/routes.ts';
import { closePlatformDays } from '../../modules/statistics/index.ts';
import { balanceRoutes, platformStatsRoutes, statisticRoutes } from '../../modules/statistics/routes.ts';
import { postbackSecret } from '../../modules/tasks/index.ts';
import { POSTBACK_PATH } from '../../modules/tasks/settle/postback-routes.ts';
import type { Area, Base } from './area.ts';
import type { Telegram } from './telegram.ts';

/** Registers payouts and deposits. */
export function registerPayouts({ config, db, clock }: Base): Area & { readonly payouts: PayoutDeps } {
  const { cryptoPay, payoutMinimumKopecks: minimumKopecks } = config;
  const payouts: PayoutDeps = {
    db,
    clock,
    minimumKopecks,
    cryptoPay: cryptoPay && { client: createCryptoPay(cryptoPay), asset: cryptoPay.asset },
  };
  return {
    payouts,
    tokenRoutes: [payoutRoutes(payouts)],
    unguardedRoutes: cryptoPay === undefined ? [] : [cryptoPayWebhook(payouts, cryptoPay.token)],
    jobs: [
      { name: 'send-payouts', everySeconds: 15, run: (signal) => sendApprovedPayouts(payouts, signal) },
      { name: 'reconcile-invoices', everySeconds: 60, run: (signal) => reconcileInvoices(payouts, signal) },
    ],
  };
}

/** Registers the job that opens cases. */
export function registerCases({ config, db, clock }: Base): Area {
  const operatorIds = new Set(config.operatorIds);
  const { payoutReviewAboveKopecks, quality } = config;
  const deps = { db, clock, operatorIds, payoutReviewAboveKopecks, isScoring: quality.isOn };
  return { jobs: [{ name: 'open-cases', everySeconds: 600, run: (signal) => openCases(deps, signal) }] };
}

export function registerContests({ config, db, clock }: Base): Area & { readonly contests: ContestDeps } {
  const scoring = { minimumPriceKopecks: config.contestMinimumPriceKopecks };
  const contests: ContestDeps = {
    db,
    clock,
    ...scoring,
    needsApproval: config.approvesContests,
    liveStandings: createLiveStandings({ db, clock, ...scoring }),
  };
  return {
    contests,
    tokenRoutes: [contestRoutes(contests)],
    jobs: [{ name: 'finish-contests', everySeconds: 15, run: (signal) => finishContests(contests, signal) }],
  };
}

/** Registers the API of advertisers. */
export function registerOrders(
  { config, db, clock, secrets, publicUrl }: Base,
  { resolver }: Telegram,
): Area & { readonly postbackOf: (orderId: number) => Postback } {
  const postbackOf = (orderId: number): Postback => ({
    url: `${publicUrl()}${POSTBACK_PATH}`,
    secret: postbackSecret(secrets, orderId),
  });
  const { publisherSharePercent, moderatesOrders: isModerated } = config;
  const operatorIds = new Set(config.operatorIds);
  const deps = { db, clock, secrets, resolver, publisherSharePercent, isModerated, operatorIds, postbackOf };
  return { postbackOf, tokenRoutes: [orderRoutes(deps)] };
}

export function registerStatistics({ db, reports, clock }: Base): Area {
  return {
    tokenRoutes: [balanceRoutes(db), platformStatsRoutes({ db, reports, clock })],
    queryTokenRoutes: [statisticRoutes(reports)],
    jobs: [
      { name: 'close-platform-days', everySeconds: 3600, run: (signal) => closePlatformDays({ db, clock }, signal) },
    ],
  };
}
