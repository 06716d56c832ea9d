import type { FastifyPluginAsync } from 'fastify';
import { html } from '../core/html.ts';
import { type Language, languageFor } from '../core/locale.ts';
import { sendPage } from './page.ts';

const TEXTS: Readonly<Record<Language, { title: string; text: string; console: string; docs: string }>> = {
  ru: {
    title: 'Биржа подписчиков в Telegram',
    text: 'Владельцы ботов показывают пользователям задания на подписку и зарабатывают, рекламодатели платят за настоящих подписчиков. Боты и заказы заводятся в Telegram-боте Sponsorgate, отчёты есть и в кабинете.',
    console: 'Войти в кабинет',
    docs: 'Документация API',
  },
  en: {
    title: 'An exchange for Telegram subscribers',
    text: 'Owners of bots show subscription tasks to their users and earn; advertisers pay for real subscribers. You create bots and orders in the Sponsorgate bot; the console also shows the reports.',
    console: 'Open the console',
    docs: 'API reference',
  },
};

/** `GET /` of a live service: a page that names its entrances. A sandbox leads to its own page. */
export const startPage: FastifyPluginAsync = async (app) => {
  app.get('/', { schema: { hide: true } as object }, async (request, reply) => {
    const language = languageFor(request.headers['accept-language']);
    const { title, text, console, docs } = TEXTS[language];
    const body = html`<p>${text}</p>
<p class="actions"><a class="button primary" href="/console">${console}</a><a class="button" href="/docs">${docs}</a></p>`;
    return sendPage(reply.header('Vary', 'Accept-Language'), { language, title, body });
  });
};
