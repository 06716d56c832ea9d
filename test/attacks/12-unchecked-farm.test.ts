import { openCheck, suspect } from '../support/human-check.ts';
import { freshUser } from '../support/sandbox.ts';
import { type AttackedService, attack } from './attack.ts';

const DAY = 24 * 3600;
const FARM = 6;
/** The hourly scoring would delete the signals that these attacks make up. */
const SETTINGS = { QUALITY_SCORING: 'off' };
const DEVICE = { id: 'f'.repeat(32), screen: { width: 1, height: 1 } };

/** Lets suspicious users subscribe and returns what their publisher has in the end. */
async function farm(
  { sandbox, database }: AttackedService,
  forge: (user: number, link: string) => Promise<unknown>,
): Promise<bigint> {
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ hold_hours: 0, quantity: 2 * FARM });
  for (let i = 0; i < FARM; i++) {
    const user = freshUser();
    await suspect(database.url, user);
    const [task] = await sandbox.getSponsors(token, user);
    await sandbox.join(order.chatId, user);
    await sandbox.confirm(token, user, order.orderId);
    await forge(user, task?.link ?? '');
  }
  await sandbox.advance(2 * DAY);
  const { balance, hold_balance: held } = await sandbox.money(token);
  return BigInt(Math.round((balance + held) * 100));
}

attack(
  'a farm of suspicious users never opens the human check',
  (service) => farm(service, async () => undefined),
  SETTINGS,
);

attack(
  'a farm opens the human check and sends made-up device data',
  (service) => farm(service, (user, link) => openCheck(service.sandbox, user, link, { device: DEVICE })),
  SETTINGS,
);
