import { randomInt } from 'node:crypto';

export const DEVICE_TYPES = ['smartphone', 'desktop', 'tablet'] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

export const OPERATING_SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS'] as const;
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number];

export interface Device {
  readonly deviceType: DeviceType | undefined;
  readonly os: OperatingSystem | undefined;
}

export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  /** The English name, as the geo database writes it. */
  readonly city: string | undefined;
}

/** The known properties of a visitor. Nothing else about the request is stored. */
export interface Visitor extends Device, Place {}

/** A rule matches when every given list contains the visitor's value. Stored and sent in this shape. */
export interface LinkRule {
  readonly countries?: readonly string[];
  readonly cities?: readonly string[];
  readonly device_types?: readonly DeviceType[];
  readonly os?: readonly OperatingSystem[];
  readonly url: string;
}

export interface Link {
  readonly id: number;
  readonly accountId: number;
  readonly code: string;
  /** The destination of visitors that match no rule. */
  readonly url: string;
  readonly name: string;
  readonly rules: readonly LinkRule[];
  readonly createdAt: Date;
}

/** Leaves out characters that people confuse with each other. */
const CODE_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 8;
const CODE_SHAPE = /^[A-Za-z0-9-]{4,32}$/;
const ORDER_CODE_SHAPE = /^o([1-9]\d{0,14})$/;

export function generateCode(): string {
  let code = '';
  do {
    code = Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
  } while (orderOfCode(code) !== undefined);
  return code;
}

/** Rejects other text cheaply, without a query. */
export function looksLikeCode(text: string): boolean {
  return CODE_SHAPE.test(text);
}

/** Returns the code of an order's task link. */
export function codeOfOrder(orderId: number): string {
  return `o${orderId}`;
}

export function orderOfCode(code: string): number | undefined {
  const match = ORDER_CODE_SHAPE.exec(code);
  return match === null ? undefined : Number(match[1]);
}
