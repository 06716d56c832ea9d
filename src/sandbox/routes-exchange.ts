import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { formatTimestamp } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { toRubles } from '../core/money.ts';
import { learnValues } from '../modules/audience/index.ts';
import { available, latestTransfers, readBalances, verifyLedger } from '../modules/ledger/index.ts';
import { type AdvanceDeps, advanceClock } from './advance-clock.ts';
import { describeState } from './describe-state.ts';
import {
  ClockBody,
  NewAccountBody,
  NewBotBody,
  NewOrderBody,
  OrderParams,
  ProfileBody,
  SignalBody,
  UserParams,
} from './exchange-schemas.ts';
import type { ExchangeSetup } from './exchange-setup.ts';
import { setSignal } from './state-store.ts';
import type { Emulator } from './telegram/index.ts';

export interface ExchangeControlDeps extends AdvanceDeps {
  readonly db: Database;
  readonly emulator: Emulator;
  readonly setup: ExchangeSetup;
  readonly managementBot: string;
  readonly reset: () => Promise<void>;
}

const SHOWN_TRANSFERS = 100;

/** The control endpoints for accounts, bots, orders, the clock and the ledger. Mounted under `/sandbox`. */
export const exchangeControlRoutes =
  (deps: ExchangeControlDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clock, setup } = deps;

    app.get('/state', () => describeState(deps));

    let lastTurn: Promise<unknown> = Promise.resolve();
    /** Runs moves of the clock and resets one after the other: a reset deletes the data of jobs that a move runs. */
    const inTurn = (work: () => Promise<void>): Promise<void> => {
      const turn = lastTurn.then(work, work);
      lastTurn = turn;
      return turn;
    };

    app.post('/accounts', { schema: { body: NewAccountBody } }, async ({ body }) => {
      const account = await setup.addAccount(body);
      const balanceOf = await readBalances(db, [available(account.id)]);
      return {
        account_id: account.id,
        user_id: account.telegramUserId,
        balance: toRubles(balanceOf(available(account.id))),
      };
    });

    app.post('/bots', { schema: { body: NewBotBody } }, async ({ body }) => {
      const { bot, token } = await setup.addBot(body);
      return { bot_id: bot.id, bot_username: bot.username, api_token: token };
    });

    app.post('/orders', { schema: { body: NewOrderBody } }, async ({ body }) => ({
      order_id: await setup.addOrder(body),
    }));

    for (const [action, status] of [['pause', 'paused'] as const, ['resume', 'active'] as const]) {
      app.post(`/orders/:order_id/${action}`, { schema: { params: OrderParams } }, async (request, reply) => {
        await setup.setOrderStatus(Number(request.params.order_id), status);
        return reply.code(204).send();
      });
    }

    app.post('/profiles/:user_id', { schema: { params: UserParams, body: ProfileBody } }, async (request, reply) => {
      const at = clock.now();
      const listed = Object.entries(request.body).filter(([name]) => Object.hasOwn(ProfileBody.properties, name));
      const learned: typeof request.body = Object.fromEntries(listed);
      await learnValues(db, Number(request.params.user_id), learned, { source: 'smart_link', at });
      return reply.code(204).send();
    });

    app.post('/signals/:user_id', { schema: { params: UserParams, body: SignalBody } }, async (request, reply) => {
      const { strength } = request.body;
      await setSignal(db, { userId: Number(request.params.user_id), strength, at: clock.now() });
      return reply.code(204).send();
    });

    app.post('/clock', { schema: { body: ClockBody } }, async ({ body }) => {
      await inTurn(() => advanceClock(deps, body.advance_seconds));
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
      await inTurn(deps.reset);
      return reply.code(204).send();
    });
  };
