import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { addDays, businessDay, DAY_MS } from '../../../core/clock.ts';
import { ApiError } from '../../../core/errors.ts';
import { parseRubles, sumKopecks, toRubles } from '../../../core/money.ts';
import { callerOf, requireBeta } from '../../../http/caller.ts';
import { adjustBot, requireOwnBot } from '../../bots/index.ts';
import {
  changeOwnOrder,
  changeTimetable,
  excludeSource,
  isClosed,
  moveOwnOrder,
  type OrderStatus,
  type OwnOrderRef,
  placeOrder,
  readOwnOrder,
  subscribersOf,
  topUpOwnOrder,
  usernameIn,
} from '../../orders/index.ts';
import {
  MAX_DAYS,
  readBotOrders,
  reportAccountDays,
  reportAdvertiserDays,
  reportBotDays,
  reportOrderDays,
  reportSources,
} from '../../statistics/index.ts';
import { botOf, isOn, type NetworkDeps } from '../network-routes.ts';
import {
  Failure,
  FiltersAnswer,
  OrdersAnswer,
  OrdersBody,
  StatisticAnswer,
  StatisticQuery,
  ToggleExclusionAnswer,
  ToggleExclusionBody,
} from './schemas.ts';

/** What buying orders needs beyond the task flow. */
export type AdvertiserDeps = Parameters<typeof placeOrder>[0];

const failures = { '4xx': Failure, '5xx': Failure };
const HOLD_SECONDS = 24 * 60 * 60;
const MAX_SPONSORS = 1_000;

const STATUS: Readonly<Record<OrderStatus, string>> = {
  moderation: 'Moderation',
  active: 'Processing',
  paused: 'Stopped',
  completed: 'Finished',
  rejected: 'Rejected',
  cancelled: 'Archived',
};

/** Orders, exclusions and figures. What belongs to orders needs beta access, as in our own API. */
export const advertiserRoutes =
  (deps: NetworkDeps & AdvertiserDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clock } = deps;

    app.post(
      '/orders',
      {
        onRequest: requireBeta,
        preValidation: async ({ body }) => refuseTargeting(body),
        schema: { body: OrdersBody, response: { 200: OrdersAnswer, ...failures } },
      },
      async (request) => {
        const { accountId } = botOf(request);
        const { body } = request;
        const orderId = body.action === 'create' ? await create(accountId, body) : (body.order_id ?? 0);
        const ref = { accountId, orderId };
        if (body.action === 'update') await update(ref, body);
        return { status: 'ok', code: 200, message: '', response: await describe(ref) };
      },
    );

    async function create(accountId: number, body: Static<typeof OrdersBody>): Promise<number> {
      const { link, ads_type: type, quantity_all: quantity, price, bot_token: botToken } = body;
      if (type == null || type === 'resource') throw invalid('ads_type', 'must be channel or bot');
      if (link == null || link === '') throw invalid('link', 'is missing');
      if (quantity == null) throw invalid('quantity_all', 'is missing');
      const priceKopecks = price == null ? undefined : parseRubles(price);
      if (priceKopecks === undefined || priceKopecks <= 0n) {
        throw invalid('price', 'must be rubles with at most two decimals');
      }
      const title = body.name || usernameIn(link) || link.slice(0, 128);
      return placeOrder(deps, {
        accountId,
        key: undefined,
        request: body,
        resource: { type, link, botToken: botToken ?? undefined },
        terms: {
          priceKopecks,
          name: title,
          title,
          quantity,
          holdSeconds: HOLD_SECONDS,
          refund: true,
          dailyLimit: body.quantity_day ?? null,
        },
      });
    }

    async function update(ref: OwnOrderRef, body: Static<typeof OrdersBody>): Promise<void> {
      const { order } = await readOwnOrder(db, ref);
      const { quantity_all: quantity, quantity_day: dailyLimit } = body;
      if (quantity != null && quantity < order.quantity) throw invalid('quantity_all', 'cannot become smaller');
      if (dailyLimit != null) {
        await changeOwnOrder(deps, ref, (tx) => changeTimetable(tx, { orderId: order.id, change: { dailyLimit } }));
      }
      if (quantity != null && quantity > order.quantity) {
        await topUpOwnOrder(deps, ref, { quantity: quantity - order.quantity, key: undefined });
      }
      if (isOn(body.in_archive) === true) return moveOwnOrder(deps, ref, 'cancelled');
      const isActive = isOn(body.is_on);
      if (isActive !== undefined) await moveOwnOrder(deps, ref, isActive ? 'active' : 'paused');
    }

    async function describe(ref: OwnOrderRef): Promise<Static<typeof OrdersAnswer>['response']> {
      const { order, progress } = await readOwnOrder(db, ref);
      return {
        order_id: order.id,
        status: STATUS[order.status],
        link: order.link,
        name: order.name,
        ads_type: order.resource.type,
        quantity_all: order.quantity,
        quantity_day: order.dailyLimit,
        quantity_now: subscribersOf(progress),
        remains: Math.max(0, order.quantity - progress.countedCount),
        is_on: order.status === 'active' ? 1 : 0,
        in_archive: isClosed(order.status) ? 1 : 0,
        old_price: toRubles(order.priceKopecks),
        real_price: toRubles(order.chargeKopecks),
        is_lite: 0,
      };
    }

    app.get(
      '/statistic',
      { schema: { querystring: StatisticQuery, response: { 200: StatisticAnswer, ...failures } } },
      async (request) => {
        const { query } = request;
        const { accountId, id } = callerOf(request).bot;
        const now = clock.now();
        const last = query.end_date ?? businessDay(now);
        const first = query.start_date ?? businessDay(addDays(now, -29));
        const period = { days: daysSince(first, now), now };
        const isShown = ({ day }: { readonly day: string }): boolean => day >= first && day <= last;
        switch (query.action) {
          case 'allbots':
          case 'bots': {
            const botId = Number(query.bot_id ?? id);
            if (query.action === 'bots') await requireOwnBot(db, { accountId, botId });
            const days =
              query.action === 'bots'
                ? await reportBotDays(db, { botId, ...period })
                : await reportAccountDays(db, { accountId, ...period });
            return chart(
              days.filter(isShown).map((day) => ({ ...day, kopecks: day.rewardKopecks - day.reversedRewardKopecks })),
            );
          }
          case 'allads':
          case 'ads': {
            const orderId = Number(query.ads_id ?? 0);
            if (query.action === 'ads') await readOwnOrder(db, { accountId, orderId });
            const days =
              query.action === 'ads'
                ? await reportOrderDays(db, { orderId, ...period })
                : await reportAdvertiserDays(db, { accountId, ...period });
            return chart(
              days.filter(isShown).map((day) => ({ ...day, kopecks: day.chargeKopecks - day.returnedChargeKopecks })),
            );
          }
          case 'source': {
            const orderId = Number(query.ads_id ?? 0);
            await readOwnOrder(db, { accountId, orderId });
            const table_data = (await reportSources(db, { orderId, now })).map((source) => ({
              bot_id: source.botId,
              bot_nickname: source.username,
              subscribers: source.counted - source.reversed,
              value: toRubles(source.spentKopecks),
              is_excluded: source.isExcluded,
            }));
            return { status: 'ok', data: { table_data } };
          }
          case 'sponsor': {
            const bot = await requireOwnBot(db, { accountId, botId: Number(query.bot_id ?? id) });
            const sponsors = await readBotOrders(db, { botId: bot.id, first, last, limit: MAX_SPONSORS });
            const table_data = sponsors.map(({ orderId, link, subscribers, revenueKopecks }) => ({
              ads_id: orderId,
              link,
              subscribers,
              value: toRubles(revenueKopecks),
              is_excluded: bot.excludedOrderIds.has(orderId),
            }));
            return { status: 'ok', data: { table_data } };
          }
        }
      },
    );

    app.post(
      '/toggle-exclusion',
      { schema: { body: ToggleExclusionBody, response: { 200: ToggleExclusionAnswer, ...failures } } },
      async (request) => {
        const { accountId, id } = botOf(request);
        const { action, context, ads_id: orderId, bot_id: botId } = request.body;
        const isExcluded = action === 'exclude';
        if (context === 'publisher') {
          const adjustment = { kind: 'order', orderId, isExcluded } as const;
          await adjustBot(db, { accountId, botId: botId ?? id, adjustment });
        } else {
          await requireBeta(request);
          if (botId == null) throw invalid('bot_id', 'is missing');
          await changeOwnOrder(deps, { accountId, orderId }, (tx) => excludeSource(tx, { orderId, botId, isExcluded }));
        }
        return { status: 'ok', message: isExcluded ? 'Excluded' : 'Active again' };
      },
    );

    // Orders of this contract have no targeting, so there is nothing to choose from.
    app.get('/filters', { schema: { response: { 200: FiltersAnswer, ...failures } } }, async () => ({
      status: 'ok',
      filters: {
        ads: {
          countries: [],
          languages: [],
          cities: [],
          ages: [],
          devicestype: [],
          devicesos: [],
          forbidden_themes: [],
        },
        bots: { forbidden_themes: [] },
      },
    }));
  };

interface ChartDay {
  readonly day: string;
  readonly counted: number;
  readonly reversed: number;
  readonly kopecks: bigint;
}

function chart(days: readonly ChartDay[]): Static<typeof StatisticAnswer> {
  const counts = days.map(({ counted, reversed }) => counted - reversed);
  return {
    status: 'ok',
    data: {
      labels: days.map(({ day }) => day),
      subscribers_data: counts,
      value_data: days.map(({ kopecks }) => toRubles(kopecks)),
      total_subscribers: counts.reduce((sum, count) => sum + count, 0),
      total_value: toRubles(sumKopecks(days.map(({ kopecks }) => kopecks))),
    },
  };
}

/** Returns how many business days a report needs to reach back to `first`. */
function daysSince(first: string, now: Date): number {
  const days = Math.ceil((now.getTime() - Date.parse(first)) / DAY_MS) + 1;
  return Number.isNaN(days) ? 1 : Math.min(Math.max(days, 1), MAX_DAYS);
}

/** Refuses targeting, because the order would be bought without it. */
function refuseTargeting(body: unknown): void {
  for (const field of ['user_parameters', 'order_schedule', 'forbidden_themes']) {
    const value = (body as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    if (value != null) throw invalid(field, 'cannot be set here: open the order in the management bot');
  }
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `${field} ${message}.`, { fields: [{ field, message }] });
}
