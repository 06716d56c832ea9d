import type { Kopecks } from '../../core/money.ts';

/** The assets that Crypto Pay transfers, with the number of decimals that it accepts for each. */
export const CRYPTO_ASSETS = { USDT: 6, USDC: 6, TRX: 6, TON: 8, BTC: 8, ETH: 8, LTC: 8, BNB: 8 } as const;
export type CryptoAsset = keyof typeof CRYPTO_ASSETS;

const RATE = /^(\d{1,15})(?:\.(\d{1,18}))?$/;
const KOPECKS_PER_RUBLE = 100n;

/**
 * Returns how much of the asset the amount buys at `rate` rubles a unit, rounded down so that the platform never loses.
 * Returns undefined when the rate is malformed or the amount is below one unit of the last decimal.
 */
export function convertToAsset(amountKopecks: Kopecks, rate: string, asset: CryptoAsset): string | undefined {
  const match = RATE.exec(rate);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  const scaledRate = BigInt(whole + fraction);
  if (scaledRate === 0n) return undefined;
  const decimals = CRYPTO_ASSETS[asset];
  const units =
    (amountKopecks * 10n ** BigInt(decimals) * 10n ** BigInt(fraction.length)) / (scaledRate * KOPECKS_PER_RUBLE);
  return units > 0n ? formatUnits(units, decimals) : undefined;
}

function formatUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
}
