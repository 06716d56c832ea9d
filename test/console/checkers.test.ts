import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { createSpareBot, untilListening } from '../support/checkers.ts';
import { decisionsAbout, OPERATED, OPERATOR_ID, operatorOf } from './operator-service.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService(OPERATED);
const theOperator = operatorOf(service);
const PAGE = '/console/operator/checkers';

it('an operator adds a checker bot, new orders name it, and the operator removes it', async () => {
  const { sandbox, database } = service;
  const operator = await theOperator();
  const bot = await createSpareBot(sandbox, OPERATOR_ID);
  assert.match(readable((await operator.get(PAGE)).text), /There is none: the management bot checks all channels/);
  const wrong = await operator.post(PAGE, { token: 'hello' });
  assert.equal(wrong.status, 422);
  assert.match(readable(wrong.text), /does not look like a token/);
  const added = await operator.submit(PAGE, { token: bot.token });
  assert.match(readable(added.text), new RegExp(`@${bot.username} checks from now on`));
  assert.ok(!added.text.includes(bot.token));
  await untilListening(database.db, bot);

  const owner = await Visitor.signedIn(sandbox, { deposit: 100 });
  assert.match(readable((await owner.get('/console/orders/new')).text), new RegExp(`@${bot.username}`));

  const asked = await operator.get(`${PAGE}/${bot.botId}/remove`);
  assert.match(readable(asked.text), new RegExp(`Remove @${bot.username}\\?`));
  await operator.submit(`${PAGE}/${bot.botId}/remove`);
  await sandbox.advance(1);
  assert.match(readable((await operator.get(PAGE)).text), /There is none/);
  const decisions = await decisionsAbout(service, `checker:${bot.botId}`);
  assert.deepEqual(
    decisions.map(({ action, details }) => ({ action, details })),
    [
      { action: 'checker.removed', details: { name: `@${bot.username}` } },
      { action: 'checker.added', details: { name: `@${bot.username}` } },
    ],
  );
});

it('the page exists for operators only', async () => {
  const owner = await Visitor.signedIn(service.sandbox);
  assert.equal((await owner.get(PAGE)).status, 404);
  assert.equal((await owner.post(PAGE, { token: '1:2' })).status, 404);
});
