import type { FastifyPluginAsync } from 'fastify';
import type { Static } from 'typebox';
import { businessDay } from '../../../core/clock.ts';
import type { Language } from '../../../core/locale.ts';
import { toRubles } from '../../../core/money.ts';
import { readFunds } from '../../accounts/index.ts';
import { botTotals } from '../../statistics/index.ts';
import { type GateAnswer, type GateStatus, leftIn, statusFor } from '../gate.ts';
import { buttonText, sendGateMessage } from '../gate-message.ts';
import { findByLinks } from '../match-links.ts';
import {
  askFor,
  botOf,
  createResponder,
  isOn,
  languageOf,
  type NetworkContract,
  type NetworkDeps,
  networkRoutes,
} from '../network-routes.ts';
import { type AdvertiserDeps, advertiserRoutes } from './advertiser-routes.ts';
import { botsRoutes } from './bots-routes.ts';
import {
  BalanceAnswer,
  Failure,
  GetSponsorsBody,
  RequestOpAnswer,
  RequestOpBody,
  SponsorsAnswer,
  UserSubscriptionsBody,
} from './schemas.ts';

const contract: NetworkContract = {
  prefix: '/compat/subgram',
  tokenIn: ({ headers, query }) => headers.auth ?? (query as { api_token?: unknown }).api_token,
  tokenPlace: 'in the Auth header',
  errorOf: ({ message }, status) => ({ status, body: { status: 'error', code: status, message } }),
};

const failures = { '4xx': Failure, '5xx': Failure };

const MESSAGES = {
  ru: { ok: 'Пользователь может продолжать', warning: 'Пользователь должен подписаться на спонсоров' },
  en: { ok: 'The user may proceed', warning: 'The user has to subscribe to the sponsors' },
} as const;

export const subgramRoutes = (deps: NetworkDeps & AdvertiserDeps): FastifyPluginAsync => {
  const { gate, access, db } = deps;
  return networkRoutes(access, contract, async (app) => {
    const respond = createResponder();

    app.post(
      '/get-sponsors',
      { schema: { body: GetSponsorsBody, response: { 200: SponsorsAnswer, ...failures } } },
      async (request, reply) => {
        const bot = botOf(request);
        const { body } = request;
        const language = languageOf(body.language_code);
        const { action, max_sponsors: max } = body;
        const input = askFor(bot, {
          ...body,
          max,
          action: action == null || action === 'subscribe' ? 'subscribe' : 'newtask',
        });
        const answered = without(body, await gate.ask(input));
        const tasks = leftIn(answered);
        if (isOn(body.get_links) === false && tasks.length > 0) {
          const warning = await sendGateMessage(deps, { bot, userId: input.userId, tasks, language });
          // A user who got no message could not do the tasks, so the bot is told to let the user in.
          if (warning !== undefined)
            return { status: 'ok' as const, code: 200, message: warning, additional: { sponsors: [] } };
        }
        return respond(reply, answered, language, () => presentSponsors(answered, language));
      },
    );

    app.post(
      '/get-user-subscriptions',
      { schema: { body: UserSubscriptionsBody, response: { 200: SponsorsAnswer, ...failures } } },
      async (request) => {
        const { user_id: userId, links, start_date: first, end_date: last } = request.body;
        const reviewed = await gate.review(botOf(request), Number(userId));
        const chosen =
          links == null
            ? reviewed.filter(({ shownAt }) => isWithin(businessDay(shownAt), first, last))
            : [...findByLinks(reviewed, links).values()];
        const sponsors = chosen.map(({ order, status }) => presentSponsor(order, order.link, status, 'ru'));
        const status = chosen.some((task) => task.status === 'unsubscribed') ? 'warning' : 'ok';
        return { status, code: 200, message: MESSAGES.ru[status], additional: { sponsors } } as const;
      },
    );

    app.post('/get-balance', { schema: { response: { 200: BalanceAnswer, ...failures } } }, async (request) => {
      const { accountId } = botOf(request);
      const [funds, bots] = await Promise.all([readFunds(db, accountId), botTotals(db, accountId)]);
      return {
        status: 'ok',
        code: 200,
        message: '',
        balance: toRubles(funds.availableKopecks),
        bots_info: bots.map((bot) => ({
          bot_id: bot.botId,
          bot_username: bot.username,
          total_followers: bot.subscribers,
          revenue: toRubles(bot.revenueKopecks),
        })),
      };
    });

    for (const path of ['/request-op', '/request-op-tokenless']) {
      app.post(
        path,
        { schema: { body: RequestOpBody, response: { 200: RequestOpAnswer, 404: RequestOpAnswer, ...failures } } },
        async (request, reply) => {
          const { UserId: user_id, MaxOP, Premium, ...body } = request.body;
          const max = MaxOP == null || !Number.isSafeInteger(Number(MaxOP)) ? null : Number(MaxOP);
          const is_premium = typeof Premium === 'boolean' ? Premium : null;
          const answered = await gate.ask(askFor(botOf(request), { ...body, user_id, max, is_premium }));
          const links = leftIn(answered).map(({ link }) => link);
          const status = links.length === 0 ? 'ok' : 'warning';
          const message = MESSAGES[languageOf(body.language_code)][status];
          // The network's older clients read 404 as "no sponsors for this user".
          const code = answered.tasks.length === 0 ? 404 : 200;
          return reply.code(code).send({ status, code, message, links });
        },
      );
    }

    await app.register(botsRoutes(deps));
    await app.register(advertiserRoutes(deps));
  });
};

function presentSponsors(answered: GateAnswer, language: Language): Static<typeof SponsorsAnswer> {
  const status = leftIn(answered).length === 0 ? 'ok' : 'warning';
  const sponsors = answered.tasks.map((task) =>
    presentSponsor(task.order, task.link, statusFor(answered, task), language),
  );
  return { status, code: 200, message: MESSAGES[language][status], additional: { sponsors } };
}

function presentSponsor(
  { id, title, resource, status: orderStatus }: GateAnswer['tasks'][number]['order'],
  link: string,
  status: GateStatus,
  language: Language,
) {
  return {
    ads_id: String(id),
    link,
    resource_id: String(resource.chatId),
    type: resource.type,
    status,
    available_now: orderStatus === 'active',
    button_text: buttonText(resource.type, language),
    resource_logo: null,
    resource_name: title,
  };
}

/** Leaves out the orders and resources that the request excludes. */
function without(
  { exclude_ads_ids: ads, exclude_resource_ids: resources }: Static<typeof GetSponsorsBody>,
  answered: GateAnswer,
): GateAnswer {
  if ((ads?.length ?? 0) + (resources?.length ?? 0) === 0) return answered;
  const [orderIds, chatIds] = [new Set(ads?.map(String)), new Set(resources?.map(String))];
  const tasks = answered.tasks.filter(
    ({ order }) => !orderIds.has(String(order.id)) && !chatIds.has(String(order.resource.chatId)),
  );
  return { ...answered, tasks };
}

const isWithin = (day: string, first: string | null | undefined, last: string | null | undefined): boolean =>
  (first == null || day >= first) && (last == null || day <= last);
