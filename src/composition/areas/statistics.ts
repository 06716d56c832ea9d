import { closePlatformDays } from '../../modules/statistics/index.ts';
import { balanceRoutes, platformStatsRoutes, statisticRoutes } from '../../modules/statistics/routes.ts';
import type { Area, Base } from './area.ts';

export function registerStatistics({ db, clock }: Base): Area {
  return {
    tokenRoutes: [balanceRoutes(db), platformStatsRoutes({ db, clock })],
    queryTokenRoutes: [statisticRoutes(db)],
    jobs: [
      { name: 'close-platform-days', everySeconds: 3600, run: (signal) => closePlatformDays({ db, clock }, signal) },
    ],
  };
}
