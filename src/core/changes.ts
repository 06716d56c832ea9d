/**
 * What processes tell each other over LISTEN/NOTIFY, so that what they keep in memory follows the database. The message
 * only names what changed; whoever cares reads it again.
 */
export const CHANGES_CHANNEL = 'sponsorgate_changes';

export type Change =
  | { readonly kind: 'order' | 'bot' | 'link'; readonly id: number }
  /** A reset of the sandbox: nothing that was remembered holds. */
  | { readonly kind: 'everything' };

export function encodeChange(change: Change): string {
  return change.kind === 'everything' ? change.kind : `${change.kind}:${change.id}`;
}

export function decodeChange(payload: string): Change | undefined {
  if (payload === 'everything') return { kind: 'everything' };
  const match = /^(order|bot|link):(\d{1,15})$/.exec(payload);
  return match === null ? undefined : { kind: match[1] as 'order' | 'bot' | 'link', id: Number(match[2]) };
}
