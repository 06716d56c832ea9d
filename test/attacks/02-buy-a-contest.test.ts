import assert from 'node:assert/strict';
import { saveBan } from '../../src/modules/accounts/index.ts';
import { buyOrder, channel, type OrderFields, openRichAccount } from '../support/advertiser.ts';
import { CONTEST_RULES } from '../support/contest-rules.ts';
import { bindContests } from '../support/money-use-cases.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';
import { insertSettled } from '../support/settled.ts';
import { type AttackedService, attack } from './attack.ts';

const PRIZE_KOPECKS = 5_000_000n;
const USERS = 300;

/** Finishes a contest in which the attacker has settled subscriptions of this order. Returns the attacker's prize. */
async function contestWon(
  { sandbox, database: { db } }: AttackedService,
  order: (accountId: number) => Partial<OrderFields>,
  isBanned = false,
): Promise<bigint> {
  const attacker = await sandbox.publisher();
  const honest = await sandbox.publisher();
  const now = await sandboxTime(sandbox);
  const contests = bindContests({ db, clock: { now: () => now }, ...CONTEST_RULES });
  const created = await contests.create({
    key: crypto.randomUUID(),
    name: 'A race',
    startsAt: now,
    endsAt: new Date(now.getTime() + 3600_000),
    prizesKopecks: [PRIZE_KOPECKS],
  });
  assert.equal(created.kind, 'created');
  const at = new Date(now.getTime() + 60_000);
  const bought = async (fields: Partial<OrderFields>): Promise<number> =>
    buyOrder(db, { accountId: await openRichAccount(db), resource: channel(-freshUser()), quantity: USERS, ...fields });
  const times = Array.from({ length: USERS }, () => at);
  await insertSettled(db, { orderId: await bought(order(attacker.accountId)), accountId: attacker.accountId, times });
  await insertSettled(db, { orderId: await bought({}), accountId: honest.accountId, times: [at] });
  if (isBanned) await db.transaction((tx) => saveBan(tx, { accountId: attacker.accountId, reason: 'fraud', at: now }));
  await sandbox.advance(2 * 3600);
  assert.equal(BigInt(await sandbox.kopecks('available', honest.accountId)), PRIZE_KOPECKS, 'the honest one has won');
  return BigInt(await sandbox.kopecks('available', attacker.accountId));
}

attack('02 invented users of an external bot at 0.01 ₽ win a contest', (service) =>
  contestWon(service, () => ({ priceKopecks: 1n, resource: { type: 'bot', externalUsername: 'partner_bot' } })),
);
attack('02 invented users of an external bot at the usual price win a contest', (service) =>
  contestWon(service, () => ({ priceKopecks: 1_000n, resource: { type: 'bot', externalUsername: 'partner_bot' } })),
);
attack('02 a channel of 0.99 ₽ wins a contest by the number of its subscribers', (service) =>
  contestWon(service, () => ({ priceKopecks: 99n })),
);
attack('02 an account that was banned before the end wins a contest', (service) =>
  contestWon(service, () => ({ priceKopecks: 2_000n }), true),
);
