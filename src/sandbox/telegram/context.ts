import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { EventBus } from './events.ts';

/** The dependencies of every part of the emulator. */
export interface Context {
  readonly db: Database;
  readonly clock: Clock;
  readonly bus: EventBus;
  /** Aborts when the emulator closes, so that waiting requests end before the server stops. */
  readonly closing: AbortSignal;
}

type MemberStatus = 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';

export interface Membership {
  readonly status: MemberStatus;
  readonly isMember: boolean;
  /** Whether the administrator's actions in a group appear as the group's. */
  readonly isAnonymous?: boolean;
}

export const OUTSIDE: Membership = { status: 'left', isMember: false };

export function isAdmin(membership: Membership | undefined): boolean {
  return membership?.status === 'administrator' || membership?.status === 'creator';
}

interface Birthdate {
  readonly day: number;
  readonly month: number;
  readonly year?: number;
}

/** A person or a bot. */
export interface Account {
  readonly id: number;
  readonly isBot: boolean;
  readonly firstName: string;
  readonly username: string | null;
  readonly languageCode: string | null;
  readonly isPremium: boolean;
  readonly bio: string | null;
  readonly birthdate: Birthdate | null;
  readonly photos: number;
  readonly rating: number | null;
  readonly gifts: number;
  readonly audios: number;
}

export type ChatType = 'channel' | 'supergroup' | 'group';

export interface ChatRoom {
  readonly id: number;
  readonly type: ChatType;
  readonly title: string;
  readonly username: string | null;
  /** The link into a chat without a public name. */
  readonly inviteLink: string | null;
  /** The id of the supergroup to which a basic group was upgraded. */
  readonly migratedTo: number | null;
}

export interface Bot {
  readonly id: number;
  readonly token: string;
  readonly username: string;
  readonly title: string;
}
