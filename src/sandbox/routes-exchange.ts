import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { formatTimestamp } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { ApiError } from '../core/errors.ts';
import { type Kopecks, parseRubles, toRubles } from '../core/money.ts';
import { learnValues } from '../modules/audience/index.ts';
import { available, latestTransfers, readBalances, verifyLedger } from '../modules/ledger/index.ts';
import type { Filters } from '../modules/targeting/index.ts';
import { type AdvanceDeps, advanceClock } from './advance-clock.ts';
import { describeWorld } from './describe-state.ts';
import {
  ClockBody,
  NewAccountBody,
  NewBotBody,
  NewOrderBody,
  OrderParams,
  ProfileBody,
  UserParams,
} from './exchange-schemas.ts';
import type { World } from './exchange-setup.ts';
import type { Emulator } from './telegram/index.ts';

export interface WorldRoutesDeps extends AdvanceDeps {
  readonly db: Database;
  readonly emulator: Emulator;
  readonly world: World;
  readonly managementBot: string;
  readonly reset: () => Promise<void>;
}

const SHOWN_TRANSFERS = 100;

/** The levers of the exchange itself: accounts, bots, orders, time, and a look into the books. Mounted under `/sandbox`. */
export const worldRoutes =
  (deps: WorldRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clock, world } = deps;

    app.get('/state', () => describeWorld(deps));

    app.post('/accounts', { schema: { body: NewAccountBody } }, async ({ body }) => {
      const account = await world.addAccount({
        userId: body.user_id,
        name: body.name,
        depositKopecks: kopecks('deposit', body.deposit ?? 0),
      });
      const balanceOf = await readBalances(db, [available(account.id)]);
      return {
        account_id: account.id,
        user_id: account.telegramUserId,
        balance: toRubles(balanceOf(available(account.id))),
      };
    });

    app.post('/bots', { schema: { body: NewBotBody } }, async ({ body }) => {
      const { bot, token } = await world.addBot({
        accountId: body.account_id,
        username: body.username,
        beta: body.beta,
        maxSponsors: body.max_sponsors,
        roundSeconds: body.round_minutes === undefined ? undefined : body.round_minutes * 60,
      });
      return { bot_id: bot.id, bot_username: bot.username, api_token: token };
    });

    app.post('/orders', { schema: { body: NewOrderBody } }, async ({ body }) => ({
      order_id: await world.addOrder({
        accountId: body.account_id,
        chatId: body.chat_id,
        name: body.name,
        priceKopecks: kopecks('price_per_sub', body.price_per_sub),
        quantity: body.quantity,
        holdSeconds: body.hold_hours === undefined ? undefined : Math.round(body.hold_hours * 3600),
        refund: body.refund,
        dailyLimit: body.daily_limit,
        filters: body.filters as Filters | undefined,
      }),
    }));

    app.post('/orders/:order_id/pause', { schema: { params: OrderParams } }, async (request, reply) => {
      await world.setOrderStatus(Number(request.params.order_id), 'paused');
      return reply.code(204).send();
    });
    app.post('/orders/:order_id/resume', { schema: { params: OrderParams } }, async (request, reply) => {
      await world.setOrderStatus(Number(request.params.order_id), 'active');
      return reply.code(204).send();
    });

    app.post('/profiles/:user_id', { schema: { params: UserParams, body: ProfileBody } }, async (request, reply) => {
      const at = clock.now();
      const known = Object.entries(request.body).filter(([name]) => Object.hasOwn(ProfileBody.properties, name));
      const learned: typeof request.body = Object.fromEntries(known);
      await learnValues(db, Number(request.params.user_id), learned, { source: 'smart_link', at });
      return reply.code(204).send();
    });

    app.post('/clock', { schema: { body: ClockBody } }, async ({ body }) => {
      await advanceClock(deps, body.advance_seconds);
      return { now: formatTimestamp(clock.now()) };
    });

    app.get('/ledger', async () => {
      const [report, transfers] = await Promise.all([verifyLedger(db), latestTransfers(db, SHOWN_TRANSFERS)]);
      return {
        balanced: report.balanced,
        total_kopecks: Number(report.totalKopecks),
        faults: report.faults,
        accounts: report.accounts.map((account) => ({
          kind: account.kind,
          owner_id: account.ownerId,
          balance_kopecks: Number(account.recomputedKopecks),
        })),
        transfers: transfers.map((transfer) => ({
          id: transfer.id,
          key: transfer.key,
          from: `${transfer.from.kind}:${transfer.from.ownerId}`,
          to: `${transfer.to.kind}:${transfer.to.ownerId}`,
          amount_kopecks: Number(transfer.amountKopecks),
          created_at: formatTimestamp(transfer.createdAt),
        })),
      };
    });

    app.post('/reset', async (_request, reply) => {
      await deps.reset();
      return reply.code(204).send();
    });
  };

function kopecks(field: string, rubles: number): Kopecks {
  const amount = parseRubles(rubles);
  if (amount !== undefined) return amount;
  const fields = [{ field, message: 'must be rubles with at most two decimals' }];
  throw new ApiError('validation_failed', `${field} must be rubles with at most two decimals.`, { fields });
}
