import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../../core/clock.ts';
import type { Database, ReportDatabase } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { languageFor } from '../../core/locale.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
import { type Column, type HtmlReport, htmlReport } from './html-report.ts';
import { reportPlatform } from './platform-stats.ts';
import { reportBalance, reportBot, reportBots, reportOrder, reportOrders } from './reports.ts';
import { AnyReport, BalanceAnswer, PlatformStatsAnswer, StatisticQuery } from './schemas.ts';

export const balanceRoutes =
  (db: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/v1/get-balance', { schema: { response: { 200: BalanceAnswer } } }, (request) =>
      reportBalance(db, callerOf(request).bot.accountId),
    );
  };

/** Figures of the whole platform, the same for every caller. */
export const platformStatsRoutes =
  (deps: {
    readonly db: Database;
    readonly reports: ReportDatabase;
    readonly clock: Clock;
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', requireBeta);
    app.get('/api/v1/platform-stats', { schema: { response: { 200: PlatformStatsAnswer } } }, (_request, reply) => {
      sayAge(reply, deps.reports);
      return reportPlatform(deps);
    });
  };

const BOT_COLUMNS: readonly Column[] = ['bot_id', 'bot_username', 'is_active', 'total_subscribers', 'revenue'];
const ORDER_COLUMNS: readonly Column[] = [
  'order_id',
  'name',
  'status',
  'price_per_sub',
  'subscribers',
  'cr_pct',
  'spent',
];
const RECORD_COLUMNS: readonly Column[] = ['user_id', 'order_id', 'status', 'amount', 'created_at'];

/** Figures of a read replica are some seconds old. The header says how old; figures of the primary have none. */
function sayAge(reply: FastifyReply, reports: ReportDatabase): void {
  const age = reports.ageSeconds();
  if (age !== undefined) reply.header('X-Figures-Age', age);
}

export const statisticRoutes =
  (db: ReportDatabase): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/statistic',
      { schema: { querystring: StatisticQuery, response: { 200: Type.Union([AnyReport, Type.String()]) } } },
      async (request, reply) => {
        const { bot } = callerOf(request);
        const { query } = request;
        const asHtml = query.output_format === 'html';
        const language = languageFor(request.headers['accept-language']);
        sayAge(reply, db);
        const show = (report: Omit<HtmlReport, 'language' | 'ageSeconds'>): string =>
          sendHtml(reply, htmlReport({ ...report, language, ageSeconds: db.ageSeconds() }));
        const showSubscriptions = (of: string, rows: HtmlReport['rows']): string =>
          show({ kind: 'subscriptions', of, columns: RECORD_COLUMNS, rows });
        switch (query.action ?? 'allbots') {
          case 'allbots': {
            const report = await reportBots(db, bot.accountId);
            return asHtml ? show({ kind: 'bots', columns: BOT_COLUMNS, rows: report.bots }) : report;
          }
          case 'bots': {
            const botId = query.bot_id === undefined ? bot.id : Number(query.bot_id);
            const report = await reportBot(db, bot.accountId, botId);
            if (report === undefined) throw new ApiError('bot_not_found', `You have no bot ${botId}.`);
            return asHtml ? showSubscriptions(report.bot, report.subscriptions) : report;
          }
          case 'allads': {
            const report = await reportOrders(db, bot.accountId);
            return asHtml ? show({ kind: 'orders', columns: ORDER_COLUMNS, rows: report.orders }) : report;
          }
          case 'ads': {
            const report = await reportOrder(db, bot.accountId, orderIdIn(query));
            if (report === undefined) throw new ApiError('order_not_found', `You have no order ${query.order_id}.`);
            return asHtml ? showSubscriptions(report.order, report.subscriptions) : report;
          }
        }
      },
    );
  };

function orderIdIn({ order_id: orderId }: Static<typeof StatisticQuery>): number {
  if (orderId !== undefined) return Number(orderId);
  const fields = [{ field: 'order_id', message: 'is needed with action=ads' }];
  throw new ApiError('validation_failed', 'Say which order: order_id=….', { fields });
}

function sendHtml(reply: FastifyReply, html: string): string {
  reply
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      // Any admin panel may frame the report. The address contains the token, so the referrer must not.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Language',
    })
    .serializer((payload: unknown) => String(payload));
  return html;
}
