import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { formatTimestamp } from '../../core/clock.ts';
import { toRubles } from '../../core/money.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
import { type ContestDeps, type ContestReport, reportContests } from './report-contests.ts';

/** `GET /api/v1/contests`, for tokens with beta access. Mounted behind the `Auth` header. */
export const contestRoutes =
  (deps: ContestDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/api/v1/contests',
      { onRequest: requireBeta, schema: { response: { 200: ContestsAnswer } } },
      async (request) => ({ contests: (await reportContests(deps, callerOf(request).bot.accountId)).map(present) }),
    );
  };

function present({ contest, status, ...report }: ContestReport) {
  return {
    contest_id: contest.id,
    name: contest.name,
    // A contest that is over but not frozen is reported as running with no time left.
    status: status === 'finishing' || status === 'waiting' ? 'running' : status,
    metric: 'settled_revenue',
    starts_at: formatTimestamp(contest.startsAt),
    ends_at: formatTimestamp(contest.endsAt),
    remaining_seconds: report.remainingSeconds,
    prizes: contest.prizesKopecks.map(toRubles),
    participants: report.participants,
    rank: report.rank,
    score: report.score,
    revenue: toRubles(report.revenueKopecks),
    prize: report.prizeKopecks === null ? null : toRubles(report.prizeKopecks),
  };
}

const ContestsAnswer = Type.Object({
  contests: Type.Array(
    Type.Object({
      contest_id: Type.Integer(),
      name: Type.String(),
      status: Type.String({ enum: ['scheduled', 'running', 'finished', 'cancelled'] }),
      metric: Type.String({
        enum: ['settled_revenue'],
        description: '`settled_revenue`: rewards settled in the period.',
      }),
      starts_at: Type.String(),
      ends_at: Type.String(),
      remaining_seconds: Type.Integer(),
      prizes: Type.Array(Type.Number({ description: 'Rubles.' }), { description: 'By place, the first first.' }),
      participants: Type.Integer(),
      rank: Type.Union([Type.Integer(), Type.Null()], { description: 'Your place; none without a subscription.' }),
      score: Type.Integer({ description: 'Your settled subscriptions of the period that count.' }),
      revenue: Type.Number({ description: 'Their rewards in rubles: what ranks are by.' }),
      prize: Type.Union([Type.Number(), Type.Null()], { description: 'What you won; null until ranks are frozen.' }),
    }),
  ),
});
