import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { DAY_MS } from '../../core/clock.ts';
import type { EventType } from '../events/index.ts';
import { type AddressPolicy, isAllowedAddress } from './addresses.ts';
import type { WebhookFormat } from './format.ts';

type DisabledReason = 'gone' | 'failing';

/** A URL that gets events of an account. Its secrets are not included: only the signing code reads them. */
export interface Endpoint {
  readonly id: number;
  readonly accountId: number;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly format: WebhookFormat;
  readonly isEnabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  readonly failingSince: Date | null;
  /** The secret before the last rotation signs until then. */
  readonly previousSecretUntil: Date | null;
  readonly createdAt: Date;
}

/** Low enough that the failing endpoints of one account cannot use all send slots. */
export const MAX_ENDPOINTS = 10;
export const MAX_URL_LENGTH = 2048;
/** How long both secrets sign after a rotation. */
export const SECRET_OVERLAP_MS = DAY_MS;
/** The purpose that the encryption of a secret is bound to. */
export const SECRET_PURPOSE = 'webhook-secret';

export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export type CheckedUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly message: string };

/** Checks only the text. `send.ts` checks the resolved address at every connection, because it can change. */
export function checkUrl(text: string, policy: AddressPolicy): CheckedUrl {
  const refuse = (message: string): CheckedUrl => ({ ok: false, message });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return refuse('must be an http or https address');
  }
  if (url.username !== '' || url.password !== '') return refuse('must not carry a user name or password');
  const host = hostOf(url);
  const isLocalName = /(^|\.)localhost\.?$/.test(host);
  if (isIP(host) === 0 ? isLocalName && !policy.allowLoopback : !isAllowedAddress(host, policy)) {
    return refuse('must lead to a public address');
  }
  url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) return refuse(`must be at most ${MAX_URL_LENGTH} characters`);
  return { ok: true, url: url.href };
}

/**
 * Returns the host name, or the address in its usual form: the URL parser converts decimal, octal and hex forms of
 * IPv4.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
