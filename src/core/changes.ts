/**
 * What processes tell each other over LISTEN/NOTIFY, so that what they keep in memory follows the database. The message
 * only names what changed; whoever cares reads it again.
 */
export const CHANGES_CHANNEL = 'sponsorgate_changes';

export type ChangedKind = 'order' | 'bot';

export interface Change {
  readonly kind: ChangedKind;
  readonly id: number;
}

export function encodeChange({ kind, id }: Change): string {
  return `${kind}:${id}`;
}

export function decodeChange(payload: string): Change | undefined {
  const match = /^(order|bot):(\d{1,16})$/.exec(payload);
  return match === null ? undefined : { kind: match[1] as ChangedKind, id: Number(match[2]) };
}
