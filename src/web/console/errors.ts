import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../core/errors.ts';
import { html } from '../../core/html.ts';
import type { Assets } from '../../http/assets.ts';
import { ERROR_TABLE } from '../../http/error-table.ts';
import { toApiError } from '../../http/errors.ts';
import { frameDoor, framePage } from './frame.ts';
import { emptyState } from './parts/pieces.ts';
import { REFUSAL_STATUS, Refusal } from './refusal.ts';
import { TEXTS, type Texts } from './texts/index.ts';
import { languageOf } from './visit.ts';

interface Told {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Every failed request of the console ends here, as a page with what to do next. */
export function answerFailure(
  assets: Assets,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { visit } = request;
  const language = visit?.language ?? languageOf(request);
  const told = tell(TEXTS[language], thrown);
  if (told.status >= 500 && told.status !== 503) request.log.error({ err: thrown }, 'console page failed');
  reply.code(told.status).type('text/html; charset=utf-8');
  if (visit === null || told.status === 401) {
    return reply.send(frameDoor(assets, { language, title: told.title, body: html`<p>${told.text}</p>` }));
  }
  const back = html`<p><a class="button" href="/console">${visit.texts.errors.toOverview}</a></p>`;
  const body = emptyState(told.title, told.text, visit.isInApp ? html`` : back);
  return reply.send(framePage(assets, visit, { title: String(told.status), section: '', body }, undefined));
}

function tell(texts: Texts, thrown: unknown): Told {
  if (thrown instanceof Refusal) {
    return { status: REFUSAL_STATUS[thrown.reason], ...texts.errors[thrown.reason] };
  }
  const error: ApiError = toApiError(thrown);
  const { status } = ERROR_TABLE[error.code];
  if (status === 404) return { status, ...texts.errors.missing };
  if (status === 429) return { status, ...texts.errors.tooFast };
  if (status >= 500) return { status, ...texts.errors.failed };
  return { status, title: texts.errors.refusedTitle, text: texts.refusals[error.code] ?? error.message };
}
