import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Html } from '../../core/html.ts';
import { FORMATS, type Formats, type Language, languageFor } from '../../core/locale.ts';
import type { Flash, Session, SessionOwner } from '../../modules/sessions/index.ts';
import { TEXTS, type Texts } from './texts/index.ts';

/** One request of somebody who is signed in, as pages see it. */
export interface Visit {
  readonly session: Session;
  readonly owner: SessionOwner;
  /** Signed in as an operator, who still is one. */
  readonly isOperator: boolean;
  /** Inside Telegram: without the console around it. */
  readonly isInApp: boolean;
  readonly language: Language;
  readonly texts: Texts;
  readonly formats: Formats;
  /** By the business's clock. */
  readonly now: Date;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  /** What every form of this session carries. */
  readonly csrf: string;
  /** The table that is wanted as a file; nothing when the page is. */
  readonly csv: string | undefined;
}

export interface Crumb {
  readonly label: string;
  readonly href: string;
}

/** A table or a chart of a page, with its figures as a file. */
export interface BuiltTable {
  readonly name: string;
  readonly html: Html;
  csv(): string;
}

/** A page of the console, to be put into its frame. */
export interface Page {
  readonly title: string;
  /** The entry of the menu that it belongs to: its path. */
  readonly section: string;
  /** The way to here, without the page itself. */
  readonly crumbs?: readonly Crumb[];
  /** Stands beside the title. */
  readonly aside?: Html;
  readonly body: Html;
  /** Those that can be had as a file. */
  readonly tables?: readonly BuiltTable[];
  readonly status?: number;
}

/** Where an action leads, and what is said there. */
export interface Redirect {
  readonly to: string;
  readonly flash?: Flash;
}

export const done = (to: string, text: string): Redirect => ({ to, flash: { tone: 'good', text } });

export const refused = (to: string, text: string): Redirect => ({ to, flash: { tone: 'bad', text } });

/** A secret that is shown on the next page and never again. */
export const shownOnce = (to: string, text: string, secret: { label: string; value: string }): Redirect => ({
  to,
  flash: { tone: 'good', text, secret },
});

export function visitOf(
  request: FastifyRequest,
  { session, csrf, now }: { session: Session; csrf: string; now: Date },
): Visit {
  const { pathname, searchParams: query } = addressOf(request.url);
  const language = session.owner.language ?? languageOf(request);
  return {
    session,
    owner: session.owner,
    isOperator: session.isOperator,
    isInApp: session.kind === 'app',
    language,
    texts: TEXTS[language],
    formats: FORMATS[language],
    now,
    path: pathname,
    query,
    params: (request.params ?? {}) as Readonly<Record<string, string>>,
    csrf,
    csv: query.get('format') === 'csv' ? (query.get('table') ?? '') : undefined,
  };
}

/** Returns the language for a visitor who is not signed in. */
export function languageOf(request: FastifyRequest): Language {
  return languageFor(request.headers['accept-language']);
}

/** The origin is of no meaning: only path and query are ever looked at. */
const addressOf = (url: string): URL => new URL(url, 'http://console.invalid');

/** The number in a path. What is no number is nothing of anybody's. */
export function idIn(visit: Visit, name = 'id'): number {
  const text = visit.params[name] ?? '';
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new ApiError('route_not_found', 'There is no such page.');
}

/** One of a closed set in the query; the first when it is none of them. */
export function choiceIn<const T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly [T, ...T[]],
): T {
  const text = query.get(name);
  return choices.find((choice) => choice === text) ?? choices[0];
}

/** Where a list goes on: a number out of a link of ours. */
export function cursorIn(query: URLSearchParams, name = 'before'): number | undefined {
  const text = query.get(name) ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** A refusal in the person's language, as far as we have words for it. */
export function explain({ texts }: Pick<Visit, 'texts'>, error: ApiError): string {
  return texts.refusals[error.code] ?? error.message;
}
