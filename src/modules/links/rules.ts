import { cityKey } from '../../core/cities.ts';
import type { FieldError } from '../../core/errors.ts';
import {
  DEVICE_TYPES,
  type DeviceType,
  type LinkRule,
  OPERATING_SYSTEMS,
  type OperatingSystem,
  type Visitor,
} from './link.ts';

/** Returns the URL of the first rule that matches, otherwise the URL of the link. */
export function chooseUrl(link: { readonly url: string; readonly rules: readonly LinkRule[] }, who: Visitor): string {
  for (const rule of link.rules) if (matches(rule, who)) return rule.url;
  return link.url;
}

/** An unknown property never matches, so a rule applies only to known facts about a visitor. */
function matches(rule: LinkRule, who: Visitor): boolean {
  return (
    contains(rule.countries, who.country) &&
    contains(rule.device_types, who.deviceType) &&
    contains(rule.os, who.os) &&
    (rule.cities === undefined || (who.city !== undefined && rule.cities.some((city) => isSameCity(city, who.city))))
  );
}

function contains(list: readonly string[] | undefined, value: string | undefined): boolean {
  return list === undefined || (value !== undefined && list.includes(value));
}

function isSameCity(one: string, other: string | undefined): boolean {
  return other !== undefined && cityKey(one) === cityKey(other);
}

const MAX_URL_LENGTH = 2048;
const MAX_RULES = 50;
const MAX_VALUES = 250;
const MAX_CITY_LENGTH = 100;
const PROTOCOLS = ['http:', 'https:', 'tg:'];

/**
 * Returns the address for the Location header, or `undefined` when we do not redirect there. The result is ASCII
 * without spaces, so it cannot end the header. User names and passwords are refused, because they serve phishing.
 */
export function normalizeUrl(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose.
  if (text.length > MAX_URL_LENGTH || /[\u0000-\u0020\u007f-\u00a0\\]/.test(text) || !URL.canParse(text))
    return undefined;
  const url = new URL(text);
  if (!PROTOCOLS.includes(url.protocol) || url.hostname === '' || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return url.href.length <= MAX_URL_LENGTH && /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined;
}

const URL_MESSAGE = `must be an http, https or tg address of at most ${MAX_URL_LENGTH} characters without a password`;

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldError[] };

/** Normalizes rules for storage: upper-case countries, normalized URLs and only the given conditions. */
export function checkRules(rules: readonly LinkRule[], field = 'geo'): Checked<LinkRule[]> {
  if (rules.length > MAX_RULES) {
    return { ok: false, errors: [{ field, message: `must be at most ${MAX_RULES} rules` }] };
  }
  const errors: FieldError[] = [];
  const value = rules.map((rule, index): LinkRule => {
    const complain = (name: string, message: string): void =>
      void errors.push({ field: `${field}.${index}.${name}`, message });
    const countries = rule.countries?.map((country) => country.toUpperCase());
    const cities = rule.cities?.map((city) => city.trim());
    const url = normalizeUrl(rule.url);
    if (url === undefined) complain('url', URL_MESSAGE);
    if (countries?.some((country) => !/^[A-Z]{2}$/.test(country))) {
      complain('countries', 'must be two-letter country codes (ISO 3166-1)');
    }
    if (cities?.some((city) => cityKey(city) === '' || city.length > MAX_CITY_LENGTH)) {
      complain('cities', `must be names of at most ${MAX_CITY_LENGTH} characters`);
    }
    if (rule.device_types?.some((type) => !DEVICE_TYPES.includes(type))) {
      complain('device_types', `must be out of ${DEVICE_TYPES.join(', ')}`);
    }
    if (rule.os?.some((os) => !OPERATING_SYSTEMS.includes(os))) {
      complain('os', `must be out of ${OPERATING_SYSTEMS.join(', ')}`);
    }
    const lists = { countries, cities, device_types: rule.device_types, os: rule.os };
    const given = Object.entries(lists).filter(([, list]) => list !== undefined);
    if (given.length === 0)
      complain('countries', 'or another condition is needed: a rule without any would always match');
    for (const [name, list] of given) {
      if (list?.length === 0 || (list?.length ?? 0) > MAX_VALUES) complain(name, `must have 1 to ${MAX_VALUES} values`);
    }
    return { ...(Object.fromEntries(given) as RuleConditions), url: url ?? '' };
  });
  return errors.length === 0 ? { ok: true, value } : { ok: false, errors };
}

interface RuleConditions {
  readonly countries?: readonly string[];
  readonly cities?: readonly string[];
  readonly device_types?: readonly DeviceType[];
  readonly os?: readonly OperatingSystem[];
}

export function checkUrl(text: string, field = 'url'): Checked<string> {
  const value = normalizeUrl(text);
  return value === undefined ? { ok: false, errors: [{ field, message: URL_MESSAGE }] } : { ok: true, value };
}
