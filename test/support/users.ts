import { freshUser } from './sandbox.ts';

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Returns ids of Telegram users that no other test of this process uses. */
export function newUsers(count: number): number[] {
  return range(count).map(() => freshUser());
}
