import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { escapeHtml } from '../../core/html.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
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
  (deps: { readonly db: Database; readonly clock: Clock }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', requireBeta);
    app.get('/api/v1/platform-stats', { schema: { response: { 200: PlatformStatsAnswer } } }, () =>
      reportPlatform(deps),
    );
  };

const BOT_COLUMNS = ['bot_id', 'bot_username', 'is_active', 'total_subscribers', 'revenue'];
const ORDER_COLUMNS = ['order_id', 'name', 'status', 'price_per_sub', 'subscribers', 'cr_pct', 'spent'];
const RECORD_COLUMNS = ['user_id', 'order_id', 'status', 'amount', 'created_at'];

export const statisticRoutes =
  (db: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/statistic',
      { schema: { querystring: StatisticQuery, response: { 200: Type.Union([AnyReport, Type.String()]) } } },
      async (request, reply) => {
        const { bot } = callerOf(request);
        const { query } = request;
        const asHtml = query.output_format === 'html';
        switch (query.action ?? 'allbots') {
          case 'allbots': {
            const report = await reportBots(db, bot.accountId);
            return asHtml ? sendHtml(reply, htmlTable('Bots', BOT_COLUMNS, report.bots)) : report;
          }
          case 'bots': {
            const botId = query.bot_id === undefined ? bot.id : Number(query.bot_id);
            const report = await reportBot(db, bot.accountId, botId);
            if (report === undefined) throw new ApiError('bot_not_found', `You have no bot ${botId}.`);
            return asHtml ? sendHtml(reply, htmlTable(report.bot, RECORD_COLUMNS, report.subscriptions)) : report;
          }
          case 'allads': {
            const report = await reportOrders(db, bot.accountId);
            return asHtml ? sendHtml(reply, htmlTable('Orders', ORDER_COLUMNS, report.orders)) : report;
          }
          case 'ads': {
            const report = await reportOrder(db, bot.accountId, orderIdIn(query));
            if (report === undefined) throw new ApiError('order_not_found', `You have no order ${query.order_id}.`);
            return asHtml ? sendHtml(reply, htmlTable(report.order, RECORD_COLUMNS, report.subscriptions)) : report;
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
  reply.type('text/html; charset=utf-8');
  reply.serializer((payload: unknown) => String(payload));
  return html;
}

const STYLE =
  '.sg-table{border-collapse:collapse;font:14px/1.4 system-ui,sans-serif}' +
  '.sg-table caption{text-align:left;font-weight:600;padding:4px 0}' +
  '.sg-table th,.sg-table td{border:1px solid #8884;padding:4px 10px;text-align:left}' +
  '.sg-table th{background:#8882}' +
  '.sg-table td.n{text-align:right;font-variant-numeric:tabular-nums}';

type Cell = string | number | boolean;

/** Renders a table for embedding in an admin panel, with its own styles. */
export function htmlTable(caption: string, columns: readonly string[], rows: readonly Record<string, Cell>[]): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${columns.map((column) => cell(row[column] ?? '')).join('')}</tr>`).join('');
  const empty = `<tr><td colspan="${columns.length}">Nothing yet</td></tr>`;
  return (
    `<style>${STYLE}</style><table class="sg-table"><caption>${escapeHtml(caption)}</caption>` +
    `<thead><tr>${head}</tr></thead><tbody>${body || empty}</tbody></table>`
  );
}

function cell(value: Cell): string {
  const kind = typeof value === 'number' ? ' class="n"' : '';
  return `<td${kind}>${escapeHtml(String(value))}</td>`;
}
