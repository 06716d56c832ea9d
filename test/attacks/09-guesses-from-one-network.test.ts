import assert from 'node:assert/strict';
import { attack } from './attack.ts';

const BURST = 40;
const GUESSES = 200;

// 203.0.113.x stands for other networks: each address has its own limit.
attack(
  'a caller guesses tokens from 200 addresses of one IPv6 /64',
  async ({ sandbox }) => {
    const { token, accountId } = await sandbox.publisher({ deposit: 700 });
    const atStakeKopecks = BigInt(await sandbox.kopecks('available', accountId));
    const guess = async (address: string): Promise<number> =>
      (await sandbox.call('POST', '/api/v1/get-balance', {}, { auth: 'at_guess', 'x-forwarded-for': address })).status;

    /** Sends the guesses at once. Returns whether the limiter let more of them pass than one limit allows. */
    const passesLimit = async (addressOf: (i: number) => string): Promise<boolean> => {
      const begin = performance.now();
      const statuses = await Promise.all(Array.from({ length: GUESSES }, (_, i) => guess(addressOf(i))));
      const refilled = Math.ceil((performance.now() - begin) / 1000);
      return statuses.filter((status) => status === 401).length > BURST + refilled;
    };

    const isGuessable = await passesLimit((i) => `2001:db8:1:2:${i.toString(16)}::${i + 1}`);
    assert.equal(await guess('2001:db8:1:3::1'), 401, 'the neighbouring network is not limited with it');
    assert.equal(await guess('203.0.113.9'), 401);

    // An IPv4 address and its IPv6-mapped form share one limit.
    const spellings = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107', '64:ff9b::203.0.113.7'];
    assert.equal(await passesLimit((i) => spellings[i % spellings.length] as string), false);
    assert.equal(await guess('::ffff:203.0.113.8'), 401, 'another IPv4 address is not limited with it');

    const answer = await sandbox.call('POST', '/api/v1/get-balance', {}, { auth: token });
    assert.equal(answer.status, 200, 'the token in use is served all the time');
    // Every guess that the limiter accepts could hit a valid token.
    return isGuessable ? atStakeKopecks : 0n;
  },
  {
    TRUSTED_PROXIES: '127.0.0.1',
    // The smallest refill, which the test subtracts.
    ADDRESS_RATE_LIMIT_PER_SECOND: '1',
    ADDRESS_RATE_LIMIT_BURST: String(BURST),
  },
);
