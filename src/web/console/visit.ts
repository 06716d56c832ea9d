import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Html } from '../../core/html.ts';
import { FORMATS, type Formats, type Language, languageFor } from '../../core/locale.ts';
import type { Flash, Session, SessionOwner } from '../../modules/sessions/index.ts';
import { SHARED_TEXTS, type SharedTexts } from '../../texts/index.ts';
import { TEXTS, type Texts } from './texts/index.ts';

/** One request of a signed-in visitor, as pages see it. */
export interface Visit {
  readonly session: Session;
  readonly owner: SessionOwner;
  readonly isOperator: boolean;
  /** Inside Telegram, the page has no menu and no header. */
  readonly isInApp: boolean;
  readonly language: Language;
  readonly texts: Texts;
  /** The texts that the management bot uses too. */
  readonly shared: SharedTexts;
  readonly formats: Formats;
  /** The time of the business clock, which the sandbox can move. */
  readonly now: Date;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  /** The token that every form of this session carries. */
  readonly csrf: string;
  /** The name of the table to download as a file (`''` means the first); undefined for the page itself. */
  readonly csv: string | undefined;
}

export interface Crumb {
  readonly label: string;
  readonly href: string;
}

/** A table or chart of a page, with its figures as a file. */
export interface BuiltTable {
  readonly name: string;
  readonly html: Html;
  csv(): string;
}

/** A page of the console without the frame around it. */
export interface Page {
  readonly title: string;
  /** The pages above this one. The first is a menu entry; a page without crumbs is a menu entry itself. */
  readonly crumbs?: readonly Crumb[];
  /** Shown beside the title. */
  readonly aside?: Html | undefined;
  readonly body: Html;
  /** How old the figures are when they come from a read replica. */
  readonly figuresAgeSeconds?: number | undefined;
  /** The tables that can be downloaded as a file. */
  readonly tables?: readonly BuiltTable[];
  readonly status?: number;
}

/** The page that follows an action, with the message shown there. */
export interface Redirect {
  readonly to: string;
  readonly flash?: Flash;
}

export const done = (to: string, text: string): Redirect => ({ to, flash: { tone: 'good', text } });

export const refused = (to: string, text: string): Redirect => ({ to, flash: { tone: 'bad', text } });

/** Redirects to a page that shows a secret. Later pages do not show it. */
export const shownOnce = (to: string, text: string, secret: { label: string; value: string }): Redirect => ({
  to,
  flash: { tone: 'good', text, secret },
});

export function createVisit(
  request: FastifyRequest,
  { session, csrf, now }: { session: Session; csrf: string; now: Date },
): Visit {
  // Only path and query matter; the origin is a placeholder that URL needs.
  const { pathname, searchParams: query } = new URL(request.url, 'http://console.invalid');
  const language = session.owner.language ?? browserLanguage(request);
  return {
    session,
    owner: session.owner,
    isOperator: session.isOperator,
    isInApp: session.kind === 'app',
    language,
    texts: TEXTS[language],
    shared: SHARED_TEXTS[language],
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
export const browserLanguage = ({ headers }: FastifyRequest): Language => languageFor(headers['accept-language']);

const ID = /^[1-9]\d{0,14}$/;

/** Returns the number in the path. Any other text gets the page for a missing page. */
export function readId(visit: Visit, name = 'id'): number {
  const text = visit.params[name] ?? '';
  if (ID.test(text)) return Number(text);
  throw new ApiError('route_not_found', 'There is no such page.');
}

/** Returns the position at which a list continues: a number from a link of our own. */
export function readCursor(query: URLSearchParams, name: 'before' | 'after' = 'before'): number | undefined {
  const text = query.get(name) ?? '';
  return ID.test(text) ? Number(text) : undefined;
}

/** Returns the text for a refusal of a use case, in the visitor's language. */
export const refusalText = (language: Language, error: ApiError): string =>
  SHARED_TEXTS[language].refusals[error.code] ?? error.message;
