import { freshUser } from './sandbox.ts';

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Telegram users that no other test of this process has. */
export function crowd(count: number): number[] {
  return range(count).map(() => freshUser());
}
