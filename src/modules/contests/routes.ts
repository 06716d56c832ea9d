import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { formatTimestamp } from '../../core/clock.ts';
import { toRubles } from '../../core/money.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
import type { ContestDeps } from './contest-deps.ts';
import { type ContestReport, reportContests } from './report-contests.ts';
import { ContestsAnswer } from './schemas.ts';

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
