import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { query } from '../support/books.ts';
import { createSpareBot, setAdministrator, untilListening } from '../support/checkers.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { readFigures } from '../support/figures.ts';
import { killAll, runCommand, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';
import { startOn, startTestService } from '../support/service.ts';

after(killAll);

const OPERATOR_ID = 990_777;

test('the commands add, list and remove a checker bot while the service runs, and refuse wrong tokens in one line', async () => {
  const database = await createTestDatabase();
  const service = await startProcess({ DATABASE_URL: database.url });
  const { sandbox } = service;
  const settings = { DATABASE_URL: database.url, PUBLIC_URL: service.url };
  await sandbox.control('POST', '/users', { user_id: OPERATOR_ID, first_name: 'Op' });
  const bot = await createSpareBot(sandbox, OPERATOR_ID);

  const refuse = async (args: readonly string[], input: string, expected: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await runCommand(args, settings, input);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^sponsorgate: [^\n]+\n$/, 'one line says what is wrong');
    assert.match(stderr, expected);
  };
  const succeed = async (args: readonly string[], input = ''): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(args, settings, input);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    return stdout;
  };
  await refuse(['add-checker'], '', /use: sponsorgate add-checker/);
  await refuse(['add-checker', bot.token], '', /use: sponsorgate add-checker/);
  await refuse(['add-checker'], 'hello', /no bot token/);
  await refuse(['add-checker'], `12345:${'x'.repeat(35)}`, /Telegram refuses the token/);
  const [management] = await query<{ token: string }>(
    database.url,
    'SELECT token FROM sandbox.tg_bots WHERE bot_id = 700000001',
  );
  await refuse(['add-checker'], String(management?.token), /@sponsorgate_bot is the management bot/);
  const hooked = await createSpareBot(sandbox, OPERATOR_ID);
  await fetch(`${service.url}/sandbox/telegram/bot${hooked.token}/setWebhook?url=https://other.example/updates`);
  await refuse(['add-checker'], hooked.token, /belongs to another program, whose webhook is at other\.example/);
  assert.match(await succeed(['checkers']), /There is no checker bot/);

  assert.equal(await succeed(['add-checker'], `${bot.token}\n`), `@${bot.username} checks from now on.\n`);
  await eventually('the running service uses it', async () => {
    const rows = await query(database.url, 'SELECT 1 FROM checker_intake WHERE bot_id = $1', [bot.botId]);
    return rows.length === 1;
  });
  assert.match(await succeed(['checkers']), new RegExp(`^@${bot.username} {2}works; channels with open orders: 0`));
  assert.equal(await succeed(['add-checker'], bot.token), `@${bot.username} has its new token.\n`);
  await refuse(['remove-checker', 'nobody_bot'], '', /there is no checker bot @nobody_bot/);
  assert.match(await succeed(['remove-checker', `@${bot.username}`]), /is being removed/);
  await eventually(
    'the worker has deleted it',
    async () => (await query(database.url, 'SELECT 1 FROM checkers')).length === 0,
  );
  await service.end('SIGTERM');
  await database.drop();
});

test('a flood wait that one process received is obeyed by the other', async () => {
  const first = await startTestService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });
  const second = await startOn(first.database.url, { TELEGRAM_CHECKS_PER_SECOND: '1000', ROLES: 'api' });
  const { sandbox } = first;
  await sandbox.pauseAllOrders();
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const [user, other] = [freshUser(), freshUser()];
  for (const each of [user, other]) {
    await sandbox.getSponsors(token, each);
    await sandbox.join(order.chatId, each, true);
  }
  await sandbox.fault({ mode: 'too_many_requests', method: 'getChatMember', retry_after: 600 });
  assert.equal((await sandbox.confirmOnce(token, user, order.orderId)).code, 'check_unavailable');
  const refused = async () =>
    (await readFigures(second.url)).count('telegram_call_seconds', { method: 'getChatMember', outcome: 'flood' });
  await eventually('the other process knows the wait', async () =>
    (await readFigures(second.url)).text.includes('sponsorgate_telegram_flood_waits{scope="chat"} 1'),
  );
  assert.equal((await second.sandbox.confirmOnce(token, other, order.orderId)).code, 'check_unavailable');
  assert.equal(await refused(), 0, 'it made no call');
  await second.stop();
  await first.stop();
});

test('after a kill the updates and the channels of a checker bot go on in the next process', async () => {
  const database = await createTestDatabase();
  let service = await startProcess({ DATABASE_URL: database.url });
  await service.sandbox.control('POST', '/users', { user_id: OPERATOR_ID, first_name: 'Op' });
  const bot = await createSpareBot(service.sandbox, OPERATOR_ID);
  const settings = { DATABASE_URL: database.url, PUBLIC_URL: service.url };
  assert.equal((await runCommand(['add-checker'], settings, bot.token)).code, 0);
  await untilListening(database.db, bot);
  await service.sandbox.pauseAllOrders();
  const order = await service.sandbox.advertise();
  const { token } = await service.sandbox.publisher();
  await setAdministrator(service.sandbox, { chatId: order.chatId, botId: bot.botId, by: OPERATOR_ID });
  const user = freshUser();
  await service.sandbox.getSponsors(token, user);
  await service.end('SIGKILL');

  service = await startProcess({ DATABASE_URL: database.url });
  await service.sandbox.join(order.chatId, user);
  await eventually('the join is dated by the checker bot’s update', async () => {
    const rows = await query(database.url, 'SELECT 1 FROM memberships WHERE user_id = $1 AND joined_at IS NOT NULL', [
      user,
    ]);
    return rows.length === 1;
  });
  assert.equal((await service.sandbox.confirm(token, user, order.orderId)).code, 'counted');
  const [served] = await query<{ checker_id: string }>(
    database.url,
    'SELECT checker_id FROM resources WHERE chat_id = $1',
    [order.chatId],
  );
  assert.equal(Number(served?.checker_id), bot.botId);
  await service.end('SIGTERM');
  await database.drop();
});
