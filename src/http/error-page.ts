import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../core/errors.ts';
import { html } from '../core/html.ts';
import { type Language, languageFor } from '../core/locale.ts';
import { sendPage } from './page.ts';

interface Message {
  readonly title: string;
  readonly text: string;
}

const TEXTS: Readonly<
  Record<
    Language,
    {
      readonly link: Message;
      readonly missing: Message;
      readonly token: Message;
      readonly wrong: Message;
      readonly tooFast: Message;
      readonly failed: Message;
      readonly reason: string;
      readonly number: string;
      readonly home: string;
    }
  >
> = {
  ru: {
    link: {
      title: 'Ссылка не работает',
      text: 'Её удалили, или в адресе ошибка. Вернитесь к боту, который её прислал, и откройте свежую.',
    },
    missing: { title: 'Такой страницы нет', text: 'Проверьте адрес: возможно, в нём опечатка.' },
    token: {
      title: 'API-токен не подходит',
      text: 'Он введён с ошибкой или больше не действует. Действующий токен выдаёт бот Sponsorgate: «Мои боты».',
    },
    wrong: { title: 'Запрос с ошибкой', text: 'Сервис не понял адрес. Проверьте его параметры.' },
    tooFast: { title: 'Слишком много запросов', text: 'Подождите несколько секунд и обновите страницу.' },
    failed: {
      title: 'Сервис сейчас недоступен',
      text: 'Ничего не потеряно. Подождите минуту и обновите страницу.',
    },
    reason: 'Причина',
    number: 'Номер запроса',
    home: 'На главную',
  },
  en: {
    link: {
      title: 'This link does not work',
      text: 'It was deleted, or its address is wrong. Go back to the bot that sent it and open a new one.',
    },
    missing: { title: 'There is no such page', text: 'Check the address for a typing error.' },
    token: {
      title: 'The API token is not valid',
      text: 'It is mistyped or no longer works. The Sponsorgate bot gives you a valid one: My bots.',
    },
    wrong: {
      title: 'The request has an error',
      text: 'The service did not understand the address. Check its parameters.',
    },
    tooFast: { title: 'Too many requests', text: 'Wait a few seconds and reload the page.' },
    failed: { title: 'The service is not available now', text: 'Nothing was lost. Wait a minute and reload the page.' },
    reason: 'Reason',
    number: 'Request number',
    home: 'To the start page',
  },
};

/** Sends an error as a page in the visitor's language. The caller has set the status and the headers of the error. */
export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, requestId }: { readonly error: ApiError; readonly requestId: string | undefined },
): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const texts = TEXTS[language];
  const { title, text } = texts[kindOf(error, reply.statusCode)];
  // The reason is for the owner of a token, in the language of the API. Visitors of links and pages gain nothing by it.
  const hasReason = reply.statusCode >= 400 && reply.statusCode < 500 && ![401, 404, 429].includes(reply.statusCode);
  const body = html`<p>${text}</p>
${hasReason && html`<p class="small">${texts.reason}: <span lang="en">${error.message}</span></p>`}
${requestId !== undefined && html`<p class="small">${texts.number}: <code>${requestId}</code></p>`}
<p class="actions"><a class="button" href="/">${texts.home}</a></p>`;
  return sendPage(reply.header('Vary', 'Accept, Accept-Language'), { language, title, body });
}

function kindOf({ code }: ApiError, status: number): 'link' | 'missing' | 'token' | 'wrong' | 'tooFast' | 'failed' {
  if (code === 'link_not_found') return 'link';
  if (status === 404) return 'missing';
  if (status === 401) return 'token';
  if (status === 429) return 'tooFast';
  return status >= 500 ? 'failed' : 'wrong';
}
