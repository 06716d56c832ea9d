import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../core/html.ts';
import type { Language } from '../../core/locale.ts';
import type { Assets } from '../../http/assets.ts';
import { ERROR_TABLE } from '../../http/error-table.ts';
import { toApiError } from '../../http/errors.ts';
import { framePage, frameSignedOutPage } from './frame.ts';
import { emptyState } from './parts/elements.ts';
import { REFUSAL_STATUS, Refusal } from './refusal.ts';
import { sendHtml } from './router.ts';
import { TEXTS } from './texts/index.ts';
import { browserLanguage, refusalText } from './visit.ts';

/** Sends the page for a failed request of the console. The page tells the visitor what to do next. */
export function sendFailure(
  assets: Assets,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { visit } = request;
  const language = visit?.language ?? browserLanguage(request);
  const { status, title, text } = describeFailure(language, thrown);
  if (status >= 500 && status !== 503) request.log.error({ err: thrown }, 'console page failed');
  if (visit === null || status === 401) {
    return sendHtml(reply.code(status), frameSignedOutPage(assets, { language, title, body: html`<p>${text}</p>` }));
  }
  const toOverview = html`<p><a class="button" href="/console">${visit.texts.errors.toOverview}</a></p>`;
  const body = emptyState(title, text, visit.isInApp ? undefined : toOverview);
  return sendHtml(reply.code(status), framePage(assets, visit, { title: String(status), body }, undefined));
}

function describeFailure(language: Language, thrown: unknown): { status: number; title: string; text: string } {
  const { errors } = TEXTS[language];
  if (thrown instanceof Refusal) return { status: REFUSAL_STATUS[thrown.reason], ...errors[thrown.reason] };
  const error = toApiError(thrown);
  const { status } = ERROR_TABLE[error.code];
  if (status === 404) return { status, ...errors.missing };
  if (status === 429) return { status, ...errors.tooFast };
  if (status >= 500) return { status, ...errors.failed };
  return { status, title: errors.refusedTitle, text: refusalText(language, error) };
}
