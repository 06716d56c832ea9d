import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createCryptoPay } from './crypto-pay.ts';

/** A stub of Crypto Pay that returns these responses in order and repeats the last one. */
function provider(t: TestContext, ...answers: readonly (Response | Error)[]) {
  const calls: { url: string; init: Omit<RequestInit, 'body'> & { body: string } }[] = [];
  t.mock.method(globalThis, 'fetch', async (url: string, init: (typeof calls)[number]['init']) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push({ url, init });
    if (answer === undefined) throw new Error('no answer is left');
    if (answer instanceof Error) throw answer;
    return answer.clone();
  });
  return { calls, pay: createCryptoPay({ apiRoot: 'https://pay.test', token: 'the-token' }) };
}

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });
const ok = (result: unknown, status = 200): Response => json({ ok: true, result }, status);
const refusal = (name: string, code: number, status = code): Response =>
  json({ ok: false, error: { code, name } }, status);
const ORDER = { userId: 5, asset: 'USDT', amount: '1.5', spendId: 's-1' };

test('a transfer sends the spend id and the token, and returns its number', async (t) => {
  const { pay, calls } = provider(t, ok({ transfer_id: 1, spend_id: 's-1' }));
  assert.deepEqual(await pay.transfer(ORDER), { kind: 'ok', result: { transferId: 1 } });
  const [call] = calls;
  assert.ok(call);
  assert.equal(call.url, 'https://pay.test/api/transfer');
  assert.equal((call.init.headers as Record<string, string>)['Crypto-Pay-API-Token'], 'the-token');
  assert.deepEqual(JSON.parse(call.init.body), { user_id: 5, asset: 'USDT', amount: '1.5', spend_id: 's-1' });
});

test('a refusal counts only in the format and with a status of Crypto Pay', async (t) => {
  for (const [answer, expected] of [
    [refusal('NOT_ENOUGH_COINS', 400), { kind: 'refused', code: 400, name: 'NOT_ENOUGH_COINS' }],
    [refusal('LAST', 499), { kind: 'refused', code: 499, name: 'LAST' }],
    [refusal(`LONG${'_'.repeat(200)}`, 400), { kind: 'refused', code: 400, name: `LONG${'_'.repeat(96)}` }],
    [refusal('BROKEN', 500), { kind: 'unknown', reason: 'transfer answered 500' }],
    [refusal('ODD', 400, 200), { kind: 'unknown', reason: 'transfer answered 200' }],
    [json({ error: 'proxy' }, 403), { kind: 'unknown', reason: 'transfer answered 403' }],
    [ok({ transfer_id: 1 }, 502), { kind: 'unknown', reason: 'transfer answered 502' }],
    [ok({ transfer_id: 0 }), { kind: 'unknown', reason: 'transfer answered something unreadable' }],
    [ok({ transfer_id: 1.5 }), { kind: 'unknown', reason: 'transfer answered something unreadable' }],
    [new Response('<html>'), { kind: 'unknown', reason: 'transfer: answered no JSON' }],
  ] as const) {
    const { pay, calls } = provider(t, answer);
    assert.deepEqual(await pay.transfer(ORDER), expected);
    assert.equal(calls.length, 1, 'what sends money is never repeated here');
    t.mock.restoreAll();
  }
});

test('the error of a failed connection contains neither the address nor the token', async (t) => {
  t.mock.method(globalThis, 'fetch', () => Promise.reject('https://pay.test/the-token'));
  const odd = createCryptoPay({ apiRoot: 'https://pay.test', token: 'the-token' });
  assert.deepEqual(await odd.transfer(ORDER), { kind: 'unknown', reason: 'transfer: failed' });
  t.mock.restoreAll();
  for (const [error, reason] of [
    [new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }), 'ECONNRESET'],
    [new TypeError('fetch failed', { cause: new Error('x') }), 'connection failed'],
    [new TypeError('https://pay.test/the-token'), 'connection failed'],
    [new DOMException('late', 'TimeoutError'), 'no answer in time'],
  ] as const) {
    const { pay } = provider(t, error);
    assert.deepEqual(await pay.transfer(ORDER), { kind: 'unknown', reason: `transfer: ${reason}` });
    t.mock.restoreAll();
  }
});

test('reads are attempted three times, and a refusal is final', async (t) => {
  const failing = provider(t, json({}, 500));
  assert.equal((await failing.pay.readRate('USDT')).kind, 'unknown');
  assert.equal(failing.calls.length, 3);
  t.mock.restoreAll();

  const recovering = provider(t, json({}, 500), json({}, 500), ok([]));
  assert.deepEqual(await recovering.pay.findTransfer('s-1'), { kind: 'ok', result: undefined });
  t.mock.restoreAll();

  const refusing = provider(t, refusal('UNAUTHORIZED', 401));
  assert.equal((await refusing.pay.getInvoices([1])).kind, 'refused');
  assert.equal(refusing.calls.length, 1);
});

test('a transfer is found only by its own spend id, in a bare list or in items', async (t) => {
  const other = { transfer_id: 8, spend_id: 's-2' };
  const own = { transfer_id: 9, spend_id: 's-1' };
  for (const [list, result] of [
    [[other, own], { transferId: 9 }],
    [{ items: [own] }, { transferId: 9 }],
    [[other], undefined],
    [[{ transfer_id: 7 }], undefined],
  ] as const) {
    const { pay } = provider(t, ok(list));
    assert.deepEqual(await pay.findTransfer('s-1'), { kind: 'ok', result });
    t.mock.restoreAll();
  }
});

test('the rate must be a valid rate of this asset in rubles', async (t) => {
  const rate = { is_valid: true, source: 'USDT', target: 'RUB', rate: '92.5' };
  const decoys = [
    { ...rate, is_valid: false, rate: '1' },
    { ...rate, source: 'TON', rate: '2' },
    { ...rate, target: 'USD', rate: '3' },
  ];
  const { pay } = provider(t, ok([...decoys, rate]));
  assert.deepEqual(await pay.readRate('USDT'), { kind: 'ok', result: '92.5' });
  t.mock.restoreAll();
  const without = provider(t, ok(decoys));
  assert.deepEqual(await without.pay.readRate('USDT'), { kind: 'ok', result: undefined });
});

test('an invoice is requested in rubles, and its address is read under both names', async (t) => {
  const { pay, calls } = provider(t, ok({ invoice_id: 1, status: 'active', pay_url: 'https://old' }));
  const requested = { amountRubles: '10.00', description: 'd', payload: 'p', expiresInSeconds: 60 };
  const created = await pay.createInvoice(requested);
  assert.deepEqual(created, { kind: 'ok', result: { invoiceId: 1, status: 'active', url: 'https://old' } });
  assert.deepEqual(JSON.parse(calls[0]?.init.body ?? ''), {
    currency_type: 'fiat',
    fiat: 'RUB',
    amount: '10.00',
    description: 'd',
    payload: 'p',
    expires_in: 60,
  });
  t.mock.restoreAll();
  const both = provider(
    t,
    ok([{ invoice_id: 2, status: 'paid', bot_invoice_url: 'https://new', pay_url: 'https://old' }]),
  );
  assert.deepEqual(await both.pay.getInvoices([2, 3]), {
    kind: 'ok',
    result: [{ invoiceId: 2, status: 'paid', url: 'https://new' }],
  });
  assert.deepEqual(JSON.parse(both.calls[0]?.init.body ?? ''), { invoice_ids: '2,3', count: 2 });
});
