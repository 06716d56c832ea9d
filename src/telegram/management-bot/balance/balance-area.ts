import { Area } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { showBalance } from './balance-screen.ts';
import { contestsArea } from './contests.ts';
import { depositArea } from './deposit.ts';
import { showHistory } from './history.ts';
import { showPayouts } from './payouts.ts';
import { withdrawArea } from './withdraw.ts';

/** Balance, history, payouts, withdrawals, deposits and contests of a person. */
export function balanceArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('balance', (ctx) => showBalance(deps, ctx));
  area.onPress('bal.hist', (ctx, ...way) => showHistory(deps, ctx, way));
  area.onPress('bal.outs', (ctx, ...way) => showPayouts(deps, ctx, way));
  area.use(withdrawArea(deps), depositArea(deps), contestsArea(deps));
  return area;
}
