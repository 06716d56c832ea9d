import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addSeconds } from '../../src/core/clock.ts';
import { grantBeta, listTokens, revokeBeta, rotateToken } from '../../src/modules/bots/index.ts';
import { startOn, startTestService, type TestService } from '../support/service.ts';

const HOUR_SECONDS = 60 * 60;

let service: TestService;
let other: Awaited<ReturnType<typeof startOn>>;
before(async () => {
  service = await startTestService();
  other = await startOn(service.database.url);
});
after(async () => {
  await other.stop();
  await service.stop();
});

const now = async (): Promise<Date> => new Date((await service.sandbox.control('GET', '/state')).now);

/** Returns the newest token and the tokens that are still valid after every one-hour grace period. */
async function lasting(botId: number) {
  const end = addSeconds(await now(), 2 * HOUR_SECONDS);
  const tokens = await listTokens(service.database.db, botId);
  return { newest: tokens[0], valid: tokens.filter(({ validUntil }) => validUntil === undefined || validUntil > end) };
}

test('one of many simultaneous rotations with one token in two processes succeeds, and only its token stays valid', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher({ beta: true });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? service : other).sandbox.api(token, 'token/rotate', { grace_hours: 1 }),
    ),
  );
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.api_token as string);
  assert.equal(made.length, 1);
  for (const { status, body } of answers) assert.ok(status === 201 || body.code === 'conflict', JSON.stringify(body));
  const { newest, valid } = await lasting(botId);
  assert.deepEqual(valid, [newest]);

  await sandbox.advance(HOUR_SECONDS);
  assert.equal((await sandbox.api(token, 'get-balance', {})).status, 401);
  assert.equal((await sandbox.api(made[0] ?? '', 'get-balance', {})).status, 200);
});

test('simultaneous rotations by the owner and operators all succeed, and only the newest token outlives the grace period', async () => {
  const { database, sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  const at = await now();
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      database.db.transaction((tx) => rotateToken(tx, { botId, graceSeconds: HOUR_SECONDS - i, at })),
    ),
  );
  const made = outcomes.map((outcome) => (outcome.kind === 'rotated' ? outcome.token : assert.fail(outcome.kind)));
  const works = async () => {
    const answers = await Promise.all([token, ...made].map((one) => sandbox.api(one, 'get-balance', {})));
    return answers.filter(({ status }) => status === 200).length;
  };
  assert.equal(await works(), 9, 'all of them work during the grace');
  const { newest, valid } = await lasting(botId);
  assert.deepEqual(valid, [newest]);
  await sandbox.advance(HOUR_SECONDS);
  assert.equal(await works(), 1);
});

for (const [name, change, before] of [
  ['granted', grantBeta, false],
  ['taken', revokeBeta, true],
] as const) {
  test(`beta access that is ${name} during a rotation is ${name} for the new token too`, async () => {
    const { database, sandbox } = service;
    for (let round = 0; round < 10; round++) {
      const { token, botId } = await sandbox.publisher({ beta: before, username: `${name}_${round}_bot` });
      const at = await now();
      const [rotation] = await Promise.all([
        sandbox.api(token, 'token/rotate', {}),
        database.db.transaction((tx) => change(tx, { botId, at })),
      ]);
      assert.equal(rotation.status, 201, JSON.stringify(rotation.body));
      const tokens = await listTokens(database.db, botId);
      assert.deepEqual(
        tokens.map(({ scopes }) => scopes),
        before ? [[], []] : [['beta'], ['beta']],
      );
    }
  });
}
