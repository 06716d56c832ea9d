import { Area } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { accountsArea, debtorsArea } from './accounts.ts';
import { betaArea } from './beta.ts';
import { broadcastsArea, newBroadcastArea } from './broadcasts.ts';
import { casesArea } from './cases.ts';
import { checkersArea } from './checkers.ts';
import { contestsArea } from './contests.ts';
import { creditArea } from './credit.ts';
import { decisionsArea } from './decisions.ts';
import { depositsArea } from './deposits.ts';
import { figuresArea, logArea } from './figures.ts';
import { moderationArea } from './moderation.ts';
import { newContestArea } from './new-contest.ts';
import { showOverview } from './overview.ts';
import { payoutsArea } from './payouts.ts';
import { reverseArea } from './reverse.ts';
import { usersArea } from './users.ts';

/**
 * The operator's menus. One filter guards all of them: for other people these buttons do not exist, even with forged
 * data, and their messages reach the usual menu.
 */
export function operatorArea(deps: ManagementBotDeps): Area {
  const inner = new Area();
  inner.onPress('operator', (ctx) => showOverview(deps, ctx));
  inner.use(moderationArea(deps), payoutsArea(deps), depositsArea(deps), creditArea(deps), accountsArea(deps));
  inner.use(betaArea(deps), usersArea(deps), figuresArea(deps), logArea(deps));
  inner.use(contestsArea(deps), newContestArea(deps), broadcastsArea(deps), newBroadcastArea(deps));
  inner.use(casesArea(deps));
  inner.use(decisionsArea(deps), debtorsArea(deps), reverseArea(deps), checkersArea(deps));

  const area = new Area();
  area.filter((ctx) => ctx.person.isOperator).use(inner);
  return area;
}
