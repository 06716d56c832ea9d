import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { NETWORKS } from './networks.ts';

const service = useService();

const PATHS = [
  ['subgram', 'subgram/get-sponsors'],
  ['flyer', 'flyer/get_tasks'],
  ['tgrass', 'tgrass/offers'],
  ['piarflow', 'piarflow/v1/sponsors'],
  ['botohub', 'botohub/get-tasks'],
] as const;

for (const network of NETWORKS) {
  const { name } = network;

  test(`${name}: a user subscribes to every sponsor and passes, and the publisher is paid once`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const orders = [await sandbox.advertise(), await sandbox.advertise()];
    const user = freshUser();

    const first = await network.ask(sandbox, token, user);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.equal(network.links(first).length, 2);
    assert.equal(network.isPassed(first), false);

    for (const { chatId } of orders) {
      const before = await network.ask(sandbox, token, user);
      assert.equal(network.isPassed(before), false);
      await sandbox.join(chatId, user);
    }
    const last = await network.ask(sandbox, token, user);
    assert.equal(network.isPassed(last), true, JSON.stringify(last.body));
    assert.deepEqual(network.links(last), []);
    for (let repeat = 0; repeat < 3; repeat++) {
      assert.equal(network.isPassed(await network.ask(sandbox, token, user)), true);
    }
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 14 });
    await sandbox.assertBalanced();
  });

  test(`${name}: the call that shows a task does not confirm it`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const { token: advertiser } = await sandbox.publisher({ beta: true, deposit: 1_000 });
    // Only the advertiser's side checks this bot, so a confirm needs no membership check.
    const ordered = await sandbox.orderExternal(advertiser, { link: `https://t.me/outside_of_${name}_bot` });
    assert.equal(ordered.status, 201, JSON.stringify(ordered.body));
    const user = freshUser();
    assert.equal(network.isPassed(await network.ask(sandbox, token, user)), false);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
    assert.equal(network.isPassed(await network.ask(sandbox, token, user)), true);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  });

  test(`${name}: a user who leaves within the window takes the reward back`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const { chatId } = await sandbox.advertise();
    const user = freshUser();
    await network.ask(sandbox, token, user);
    await sandbox.join(chatId, user);
    assert.equal(network.isPassed(await network.ask(sandbox, token, user)), true);
    await sandbox.leave(chatId, user);
    await eventually('the reward is taken back', async () => (await sandbox.money(token)).hold_balance === 0);
    await sandbox.assertBalanced();
  });

  test(`${name}: an unknown token is refused in the network's form`, async () => {
    network.assertError(await network.ask(service.sandbox, 'at_unknown', freshUser()), 401);
    network.assertError(await network.ask(service.sandbox, '', freshUser()), 401);
  });

  test(`${name}: a bad body is refused in the network's form and is no 500`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    for (const user of [null, 'abc', -1, 0, 1.5, {}, [], '1; DROP TABLE tasks', Number.MAX_VALUE, true]) {
      network.assertError(await network.ask(sandbox, token, user), 422);
    }
  });

  test(`${name}: without orders there is nothing to show and the user passes`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const answer = await network.ask(sandbox, token, freshUser());
    network.assertEmpty(answer);
    assert.equal(network.isPassed(answer), true);
  });

  test(`${name}: while Telegram is down a user is neither passed nor paid, and nothing fails`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const { chatId } = await sandbox.advertise();
    const user = freshUser();
    await network.ask(sandbox, token, user);
    await sandbox.fault({ mode: 'down' });
    const during = await network.ask(sandbox, token, user);
    assert.equal(during.status, 200);
    assert.equal(network.isPassed(during), false);
    await sandbox.fault({ mode: 'none' });
    await sandbox.join(chatId, user);
    assert.equal(network.isPassed(await network.ask(sandbox, token, user)), true);
  });
}

for (const network of NETWORKS) {
  const { name } = network;

  test(`${name}: the moved clock ends the hold and the round`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const user = freshUser();
    await sandbox.subscribe(token, await sandbox.advertise(), user);
    await sandbox.advertise();
    assert.equal(network.isPassed(await network.ask(sandbox, token, user)), true, 'the round lasts 24 hours');
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
    await sandbox.advance(24 * 60 * 60 + 1);
    assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
    const next = await network.ask(sandbox, token, user);
    assert.equal(network.isPassed(next), false, JSON.stringify(next.body));
    assert.equal(network.links(next).length, 1);
  });

  test(`${name}: no fault of Telegram becomes an error, and a user who joined then is paid afterwards`, async () => {
    const { sandbox } = service;
    for (const fault of [
      { mode: 'too_many_requests', retry_after: 1 },
      { mode: 'slow', delay_ms: 50 },
    ]) {
      const { token } = await sandbox.publisher();
      const { chatId } = await sandbox.advertise();
      const user = freshUser();
      await network.ask(sandbox, token, user);
      await sandbox.fault(fault);
      const during = await network.ask(sandbox, token, user);
      assert.equal(during.status, 200, JSON.stringify(during.body));
      assert.equal(network.isPassed(during), false, fault.mode);
      await sandbox.fault({ mode: 'none' });
      await sandbox.join(chatId, user);
      assert.equal(network.isPassed(await network.ask(sandbox, token, user)), true, fault.mode);
      assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
      await sandbox.pauseAllOrders();
    }
  });

  test(`${name}: a path and a method that do not exist are refused in the network's form`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const headers = { auth: token, authorization: `Bearer ${token}` };
    network.assertError(await sandbox.call('POST', `/compat/${name}/no-such-call`, { key: token }, headers), 404);
    const [, path = ''] = PATHS.find(([one]) => one === name) ?? [];
    const other = await sandbox.call('DELETE', `/compat/${path}`, undefined, headers);
    network.assertError(other, 405);
    assert.equal(other.headers.get('allow'), 'POST');
  });
}

test('the same user through all contracts of one bot has one task and is paid once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { chatId, orderId } = await sandbox.advertise();
  const user = freshUser();
  const links = new Set<string>();
  for (const network of NETWORKS) {
    for (const link of network.links(await network.ask(sandbox, token, user))) links.add(link);
  }
  assert.equal(links.size, 1);
  assert.deepEqual(
    (await sandbox.getSponsors(token, user)).map((task) => task.ads_id),
    [orderId],
  );
  await sandbox.join(chatId, user);
  await Promise.all(NETWORKS.map((network) => network.ask(sandbox, token, user)));
  for (const network of NETWORKS) {
    assert.equal(network.isPassed(await network.ask(sandbox, token, user)), true, network.name);
  }
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  assert.equal((await sandbox.order(orderId)).subscribers, 1);
  await sandbox.assertBalanced();
});

test('answers of the gate are not compressed, because that costs more than the request', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (let order = 0; order < 8; order++) await sandbox.advertise();
  const headers = { auth: token, 'accept-encoding': 'gzip' };
  const body = { user_id: freshUser(), max_sponsors: 8 };
  const answer = await sandbox.call('POST', '/compat/subgram/get-sponsors', body, headers);
  assert.ok(Number(answer.headers.get('content-length')) > 1_024, 'long enough to be compressed');
  assert.equal(answer.headers.get('content-encoding'), null);
});

test('malformed JSON is refused in the form of each network', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const [i, [, path]] of PATHS.entries()) {
    const response = await fetch(`${sandbox.url}/compat/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', auth: token, authorization: `Bearer ${token}` },
      body: '{"user_id": 1,',
    });
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    NETWORKS[i]?.assertError(answer, 400);
  }
});

test('the sandbox offers a snippet for every network, with its own address and token', async () => {
  const { networks } = await service.sandbox.control('GET', '/networks');
  assert.deepEqual(
    networks.map(({ network }: { network: string }) => network),
    NETWORKS.map(({ name }) => name),
  );
  for (const { code } of networks) assert.ok(code.includes(service.url) && code.includes('at_'), code);
});

test('a JSON body with the content type of binary data is read, as clients of these networks send it', async () => {
  const { token } = await service.sandbox.publisher();
  const response = await fetch(`${service.url}/compat/tgrass/offers`, {
    method: 'POST',
    headers: { auth: token, 'content-type': 'application/octet-stream' },
    body: JSON.stringify({ tg_user_id: freshUser() }),
    signal: AbortSignal.timeout(60_000),
  });
  assert.equal(response.status, 200, await response.text());
});
