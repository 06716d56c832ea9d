import { batchOf } from '../../core/batcher.ts';
import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { isValidChallenge, signChallenge } from './challenge.ts';
import { type Mark, markAddress, markDevice } from './device-mark.ts';
import { readSignals } from './device-signals.ts';
import {
  insertHumanCheck,
  insertMarks,
  insertOpening,
  type MarkSource,
  readSuspicion,
  type SeenMark,
} from './store.ts';

/** Why device data of a visitor was ignored. Each is counted in the metrics. */
export const IGNORED_REASONS = [
  'no_consent',
  'forged_init_data',
  'expired_init_data',
  'replayed_init_data',
  'forged_challenge',
  'forged_device',
  'automated',
] as const;
export type IgnoredReason = (typeof IGNORED_REASONS)[number];

/** One opening of the Mini App, whose init data Telegram has signed. */
interface Opening {
  readonly userId: number;
  /** The signature in the init data. It differs for each opening. */
  readonly initHash: Buffer;
  readonly address: string;
  readonly at: Date;
}

interface CheckAttempt extends Opening {
  readonly hasConsent: boolean;
  readonly challenge: string;
  readonly platform: string | undefined;
  readonly userAgent: string | undefined;
  /** Whether the browser names itself a script. */
  readonly isAutomatic: boolean;
  /** The device signals as the page sent them. */
  readonly device: unknown;
}

/** Device marks and the human check of one process. */
export interface Devices {
  /** Stores the mark of the address behind a smart link of one user, when the user was told. Returns at once. */
  seeLinkVisit(visit: { userId: number; address: string; hasConsent: boolean; at: Date }): void;
  /**
   * Stores the mark of the address behind the Mini App. The same init data gives a mark once. Returns false for a replay;
   * while no marks are stored, replays are not recognised.
   */
  seeOpening(opening: Opening): Promise<boolean>;
  /** Returns the challenge for a user who should pass the check, or undefined. Anyone may pass it voluntarily. */
  challengeFor(userId: number, options: { isVoluntary: boolean }): Promise<string | undefined>;
  /** Returns whether the user has passed the check now or before. */
  passCheck(attempt: CheckAttempt): Promise<boolean>;
  ignore(reason: IgnoredReason): void;
  drain(): Promise<void>;
}

interface DevicesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Whether marks are stored at all. */
  readonly storesMarks: boolean;
  /** The least sum of a user's signals that asks for the check; undefined when the check is off. */
  readonly checkStrength: number | undefined;
  /** How long init data is accepted. Its use is stored at least this long. */
  readonly initDataSeconds: number;
  readonly onIgnored: (reason: IgnoredReason) => void;
  /** Receives errors of background writes, which do not affect the visitor. */
  readonly onError: (error: unknown) => void;
}

export function createDevices(deps: DevicesDeps): Devices {
  const { db, clock, secrets, storesMarks, checkStrength, onIgnored: ignore } = deps;
  const marks = batchOf(
    async (seen: readonly (readonly SeenMark[])[]) => {
      await insertMarks(db, seen.flat());
      return seen.map(() => undefined);
    },
    { maxBatch: 64 },
  );
  // Twice the maximum age, because Telegram's clock may run ahead of ours.
  const expiryOf = (at: Date): Date => addSeconds(at, 2 * deps.initDataSeconds);

  function seen(
    found: readonly (Mark | undefined)[],
    { userId, at }: { readonly userId: number; readonly at: Date },
    source: MarkSource,
  ): SeenMark[] {
    if (!storesMarks) return [];
    return found.flatMap((mark) => (mark === undefined ? [] : [{ ...mark, userId, source, at }]));
  }

  async function passCheck(attempt: CheckAttempt): Promise<boolean> {
    const { userId, address, at } = attempt;
    const refuse = async (reason: IgnoredReason): Promise<boolean> => {
      ignore(reason);
      return (await readSuspicion(db, userId)).isChecked;
    };
    if (checkStrength === undefined) return false;
    if (!attempt.hasConsent) return refuse('no_consent');
    if (!isValidChallenge(secrets, attempt.challenge, userId, at)) return refuse('forged_challenge');
    if (attempt.isAutomatic) return refuse('automated');
    const read = readSignals(attempt.device, attempt);
    if (read.kind === 'ignored') return refuse(read.fault);
    const { id } = read.signals;
    const found = [markAddress(secrets, address, at), id === undefined ? undefined : markDevice(secrets, id, at)];
    const isNew = await db.transaction(async (tx) => {
      const opening = { initHash: attempt.initHash, purpose: 'check' as const, expiresAt: expiryOf(at) };
      if (!(await insertOpening(tx, opening))) return false;
      await insertMarks(tx, seen(found, attempt, 'mini_app'));
      await insertHumanCheck(tx, userId, at);
      return true;
    });
    return isNew || refuse('replayed_init_data');
  }

  return {
    ignore,
    passCheck,
    seeLinkVisit({ userId, address, hasConsent, at }) {
      if (!storesMarks) return;
      if (!hasConsent) return ignore('no_consent');
      const found = seen([markAddress(secrets, address, at)], { userId, at }, 'smart_link');
      if (found.length > 0) marks.submit(found).catch(deps.onError);
    },
    async seeOpening({ userId, initHash, address, at }) {
      if (!storesMarks) return true;
      const isNew = await insertOpening(db, { initHash, purpose: 'mark', expiresAt: expiryOf(at) });
      if (!isNew) {
        ignore('replayed_init_data');
        return false;
      }
      const found = seen([markAddress(secrets, address, at)], { userId, at }, 'mini_app');
      if (found.length > 0) await marks.submit(found);
      return true;
    },
    async challengeFor(userId, { isVoluntary }) {
      if (checkStrength === undefined) return undefined;
      const { strength, isChecked } = await readSuspicion(db, userId);
      if (isChecked || (strength < checkStrength && !isVoluntary)) return undefined;
      return signChallenge(secrets, userId, clock.now());
    },
    drain: () => marks.drain(),
  };
}
