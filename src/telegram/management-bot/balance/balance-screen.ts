import { readFunds } from '../../../modules/accounts/index.ts';
import { listCasesOfAccount } from '../../../modules/cases/index.ts';
import { listUpcomingReleases } from '../../../modules/statistics/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { type Button, press } from '../screen.ts';

const SHOWN_RELEASES = 5;
const SHOWN_CASES = 50;

/** Shows the balance and upcoming releases from hold. */
export async function showBalance({ db, clock }: ManagementBotDeps, ctx: BotContext): Promise<void> {
  const { formats, person } = ctx;
  const { balance, common } = ctx.texts;
  const { accountId } = person;
  const [funds, hold, cases] = await Promise.all([
    readFunds(db, accountId),
    listUpcomingReleases(db, { accountId, now: clock.now(), limit: SHOWN_RELEASES }),
    listCasesOfAccount(db, { accountId, limit: SHOWN_CASES }),
  ]);
  const { availableKopecks, unsettledKopecks, withdrawableKopecks } = funds;
  await ctx.talk.show({
    text: balance.overview({
      available: formats.rubles(availableKopecks),
      hold: formats.rubles(hold.totalKopecks),
      unsettled: unsettledKopecks > 0n ? formats.rubles(unsettledKopecks) : undefined,
      withdrawable: formats.rubles(withdrawableKopecks),
      debt: availableKopecks < 0n ? formats.rubles(-availableKopecks) : undefined,
      releases: hold.releases.map(({ releaseAt, untilAt, amountKopecks, count }) => ({
        at: formats.moment(untilAt),
        isUntil: untilAt > releaseAt,
        amount: formats.rubles(amountKopecks),
        count: formats.count(count),
      })),
      later: hold.laterKopecks > 0n ? formats.rubles(hold.laterKopecks) : undefined,
    }),
    rows: [
      [press(balance.history, 'bal.hist'), press(balance.payouts, 'bal.outs')],
      [press(balance.withdraw, 'bal.out'), press(balance.deposit, 'bal.deposit')],
      cases.length === 0 ? [] : [press(ctx.texts.cases.open({ count: formats.count(cases.length) }), 'cases')],
      [press(common.home, 'home')],
    ],
  });
}

/** The button back to the balance. */
export const toBalance = ({ texts }: BotContext): Button => press(texts.balance.toBalance, 'balance');
