import {
  createCryptoPay,
  type PayoutDeps,
  reconcileInvoices,
  sendApprovedPayouts,
} from '../../modules/payouts/index.ts';
import { cryptoPayWebhook, payoutRoutes } from '../../modules/payouts/routes.ts';
import type { Area, Base } from './area.ts';

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
