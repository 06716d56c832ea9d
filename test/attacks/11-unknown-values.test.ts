import type { Filters } from '../../src/modules/targeting/index.ts';
import { freshUser } from '../support/sandbox.ts';
import { attack } from './attack.ts';

/** The coefficients 1.2 × 1.4 × 1.3 × 1.5 × 1.1 raise a price of 90 rubles to 324.33. */
const DEAR: Filters = {
  countries: ['RU'],
  cities: ['Москва'],
  age: { min: 18 },
  gifts: { min: 1 },
  device_types: ['smartphone'],
};
const ALL_KNOWN = { country: 'RU', city: 'Moscow', age: 30, gifts: 3, device_type: 'smartphone' };

attack(
  'the advertiser pays the full filter price for users without known values',
  async ({ sandbox }) => {
    const { token } = await sandbox.publisher();
    const { orderId, chatId } = await sandbox.advertise({ price_per_sub: 90, quantity: 10, filters: DEAR });
    const escrow = async (): Promise<bigint> => BigInt(await sandbox.kopecks('escrow', orderId));
    const learn = (user: number, values: object) => sandbox.control('POST', `/profiles/${user}`, values);
    const show = (user: number) => sandbox.getSponsors(token, user);

    /** Returns the charge of one subscription. */
    const chargeOf = async (user: number): Promise<bigint> => {
      const before = await escrow();
      await sandbox.join(chatId, user);
      await sandbox.confirm(token, user, orderId);
      return before - (await escrow());
    };

    const [invented, fromRussia, wellKnown, learnedLater, shownTwice] = Array.from({ length: 5 }, freshUser);
    if (!invented || !fromRussia || !wellKnown || !learnedLater || !shownTwice) throw new Error('five users');
    await learn(fromRussia, { country: 'RU' });
    await learn(wellKnown, ALL_KNOWN);
    for (const user of [invented, fromRussia, wellKnown, learnedLater, shownTwice]) await show(user);
    // A task keeps the charge of its showing, even if values become known before the confirm.
    await learn(learnedLater, ALL_KNOWN);
    let loss = 0n;
    loss += (await chargeOf(invented)) - 90_00n;
    loss += (await chargeOf(fromRussia)) - 108_00n;
    loss += (await chargeOf(wellKnown)) - 324_33n;
    loss += (await chargeOf(learnedLater)) - 90_00n;
    // A task whose reservation expired is shown again with the charge for the values known by then.
    await sandbox.advance(3_700);
    await learn(shownTwice, { country: 'RU' });
    await show(shownTwice);
    loss += (await chargeOf(shownTwice)) - 108_00n;
    // A reversal returns exactly the charge.
    const before = await escrow();
    await sandbox.leave(chatId, invented);
    loss += 90_00n - ((await escrow()) - before);
    return loss;
  },
  { UNKNOWN_CHARGE: 'base' },
);

attack(
  'the platform keeps the escrow that cheaper users leave unspent',
  async ({ sandbox }) => {
    const { token } = await sandbox.publisher();
    const { accountId, orderId, chatId } = await sandbox.advertise({ price_per_sub: 90, quantity: 2, filters: DEAR });
    const before = BigInt(await sandbox.kopecks('available', accountId));
    for (const user of [freshUser(), freshUser()]) {
      await sandbox.getSponsors(token, user);
      await sandbox.join(chatId, user);
      await sandbox.confirm(token, user, orderId);
    }
    await sandbox.advance(25 * 3600);
    const returned = BigInt(await sandbox.kopecks('available', accountId)) - before;
    return 2n * (324_33n - 90_00n) - returned;
  },
  { UNKNOWN_CHARGE: 'base' },
);
