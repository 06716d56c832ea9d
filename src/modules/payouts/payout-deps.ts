import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { CryptoAsset } from './convert-to-asset.ts';
import type { CryptoPay } from './crypto-pay.ts';
import type { PayoutMethod } from './payout.ts';

/** The dependencies and settings that the use cases of this module share. */
export interface PayoutDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly minimumKopecks: Kopecks;
  /** Absent when Crypto Pay is not configured: operators then pay payouts and credit deposits by hand. */
  readonly cryptoPay: { readonly client: CryptoPay; readonly asset: CryptoAsset } | undefined;
}

/** Returns the payout methods that this service offers. */
export const payoutMethods = ({ cryptoPay }: Pick<PayoutDeps, 'cryptoPay'>): readonly PayoutMethod[] =>
  cryptoPay === undefined ? ['manual'] : ['manual', 'crypto-pay'];
