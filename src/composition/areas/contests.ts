import { type ContestDeps, createLiveStandings, finishContests } from '../../modules/contests/index.ts';
import { contestRoutes } from '../../modules/contests/routes.ts';
import type { Area, Base } from './area.ts';

export function registerContests({ config, db, clock }: Base): Area & { readonly contests: ContestDeps } {
  const scoring = { minimumPriceKopecks: config.contestMinimumPriceKopecks };
  const contests: ContestDeps = {
    db,
    clock,
    ...scoring,
    needsApproval: config.approvesContests,
    liveStandings: createLiveStandings({ db, clock, ...scoring }),
  };
  return {
    contests,
    tokenRoutes: [contestRoutes(contests)],
    jobs: [{ name: 'finish-contests', everySeconds: 15, run: (signal) => finishContests(contests, signal) }],
  };
}
