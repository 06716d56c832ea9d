import type { Queryable } from '../../core/database.ts';
import { limitsOf, type QualitySettings, type SourceLimits, type UserLimits } from './quality.ts';
import { listQuality } from './store.ts';

/** The cache of the scores of all sources, so that no request queries them. */
export interface QualityBook {
  /** Returns the limits of a source. A source without a score has those of a new one. */
  of(botId: number): SourceLimits;
  /** Reads all scores again. */
  reload(): Promise<void>;
}

export function createQualityBook(db: Queryable, settings: QualitySettings): QualityBook {
  const unknown = limitsOf({ score: null, level: 'new' }, settings);
  let limits: ReadonlyMap<number, SourceLimits> = new Map();
  return {
    of: (botId) => limits.get(botId) ?? unknown,
    async reload() {
      if (!settings.isOn) return;
      limits = new Map((await listQuality(db)).map((one) => [one.botId, limitsOf(one, settings)]));
    },
  };
}

/** Trusts every source and every user, for data that is not real such as the demo history of a sandbox. */
export const NO_LIMITS: { readonly quality: QualityBook; readonly userLimits: UserLimits } = {
  quality: {
    of: () => ({ score: null, level: 'new', holdSeconds: 0, extendsWindow: false, orderShare: null }),
    reload: async () => undefined,
  },
  userLimits: { perHour: 0, perDay: 0, usersPerDevice: 0, hidesTasks: false },
};
