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

    const statuses: number[] = [];
    for (let i = 0; i < GUESSES; i++) statuses.push(await guess(`2001:db8:1:2:${i.toString(16)}::${i + 1}`));
    assert.equal(statuses[0], 401);
    assert.equal(await guess('2001:db8:1:3::1'), 401, 'the neighbouring network is not limited with it');
    assert.equal(await guess('203.0.113.9'), 401);

    // An IPv4 address and its IPv6-mapped form share one limit.
    const spellings = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107', '64:ff9b::203.0.113.7'];
    for (let i = 0; i < GUESSES; i++) await guess(spellings[i % spellings.length] as string);
    for (const address of spellings) assert.equal(await guess(address), 429, address);
    assert.equal(await guess('::ffff:203.0.113.8'), 401, 'another IPv4 address is not limited with it');

    const answer = await sandbox.call('POST', '/api/v1/get-balance', {}, { auth: token });
    assert.equal(answer.status, 200, 'the token in use is served all the time');
    // Every guess that the limiter accepts could hit a valid token.
    return statuses.includes(429) ? 0n : atStakeKopecks;
  },
  {
    TRUSTED_PROXIES: '127.0.0.1',
    // One request a second, so that even on a slow machine the refill does not let 200 guesses pass.
    ADDRESS_RATE_LIMIT_PER_SECOND: '1',
    ADDRESS_RATE_LIMIT_BURST: String(BURST),
  },
);
