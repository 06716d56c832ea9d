import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { readable, readCsv, Visitor } from './visitor.ts';

const service = useService();

describe('a webhook endpoint', () => {
  async function webhook() {
    const grace = await Visitor.signedIn(service.sandbox);
    const name = `console-${grace.accountId}`;
    await grace.get('/console/webhooks');
    const fields = { url: `${service.url}/sandbox/inbox/${name}`, events: ['payout.sent', 'order.completed'] };
    const created = await grace.post('/console/webhooks', fields);
    const path = created.headers.get('location') ?? '';
    return { grace, name, path, page: await grace.get(path) };
  }
  const arrived = async (name: string): Promise<number> => {
    const { deliveries } = await service.sandbox.control('GET', `/inbox?name=${name}`);
    return deliveries.length;
  };

  it('shows its secret once, lists the delivery of a test event, and replays one event or all', async () => {
    const { grace, name, path, page } = await webhook();
    assert.match(page.text, /whsec_[\w+/=]{40,}/);
    assert.doesNotMatch((await grace.get(path)).text, /whsec_/);
    await grace.submit(`${path}/test`);
    // The endpoint receives the event shortly before the delivery is stored; a replay needs the stored delivery.
    const logged = (attempts: string) =>
      eventually(`the log shows ${attempts}`, async () =>
        new RegExp(`webhook\\.test .*delivered .*${attempts} .*HTTP 2\\d\\d`, 's').test(
          readable((await grace.get(path)).text),
        ),
      );
    await logged('1 attempt');
    const log = await grace.get(path);
    assert.equal(await arrived(name), 1);
    const event = /name="event" value="(evt_[0-9a-f]{32})"/.exec(log.text)?.[1] ?? '';
    assert.match(readable((await grace.submit(`${path}/replay`, { event })).text), /1 event in the queue/);
    await logged('2 attempts');
    assert.equal(await arrived(name), 2);
    assert.match(
      readable((await grace.submit(`${path}/replay`, { since: '2020-01-01T00:00' })).text),
      /1 event in the queue/,
    );
    await eventually('it arrives again', async () => (await arrived(name)) === 3);
    assert.match(
      readable((await grace.submit(`${path}/replay`, { since: 'yesterday' })).text),
      /Give a date and a time/,
    );
    const file = readCsv((await grace.get(`${path}?format=csv`)).text);
    assert.deepEqual([file[1]?.[0], file[1]?.[1]], ['webhook.test', event]);
  });

  it('gets the messages of the network that the owner chooses', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await grace.get('/console/webhooks');
    const name = `console-flyer-${grace.accountId}`;
    const fields = { url: `${service.url}/sandbox/inbox/${name}`, events: 'subscription.confirmed', format: 'flyer' };
    const created = await grace.post('/console/webhooks', fields);
    const path = created.headers.get('location') ?? '';
    assert.match(readable((await grace.get(path)).text), /Format Flyer/);
    await grace.submit(`${path}/test`);
    await eventually('the test event arrives', async () => (await arrived(name)) === 1);
    const { deliveries } = await service.sandbox.control('GET', `/inbox?name=${name}`);
    assert.deepEqual(JSON.parse(deliveries[0].body), { type: 'test', data: {} });
  });

  it('is refused with a bad address or without events, and the form keeps the typed text', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const wrong = await grace.post('/console/webhooks', { url: 'ftp://x', events: 'payout.sent' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="ftp:\/\/x"[^>]*aria-invalid="true"/);
    const none = await grace.post('/console/webhooks', { url: 'https://example.com/hook' });
    assert.match(readable(none.text), /Choose at least one event/);
  });

  it('gets a new secret and is deleted, each after a confirmation', async () => {
    const { grace, path, page } = await webhook();
    const first = /whsec_[\w+/=]+/.exec(page.text)?.[0];
    assert.match(readable((await grace.get(`${path}/rotate`)).text), /signs along for a day/);
    const second = /whsec_[\w+/=]+/.exec((await grace.submit(`${path}/rotate`)).text)?.[0];
    assert.ok(second !== undefined && second !== first);
    assert.match(readable((await grace.get(`${path}/delete`)).text), /cannot be brought back/);
    await grace.submit(`${path}/delete`);
    assert.equal((await grace.get(path)).status, 404);
  });
});

describe('a smart link', () => {
  it('is created, applies its rules in order and counts clicks', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const created = await grace.submit('/console/links', { url: 'https://example.com/', name: 'Spring' });
    const path = new URL(/action="(\/console\/links\/\d+)"/.exec(created.text)?.[1] ?? '', service.url).pathname;
    const short = /<code>(http[^<]+\/l\/\w+)<\/code>/.exec(created.text)?.[1] ?? '';
    const saved = await grace.submit(path, {
      url: 'https://example.com/all',
      name: 'Spring',
      rule_0_url: 'https://example.com/desktop',
      rule_0_devices: 'desktop',
      rule_0_position: '2',
      rule_1_url: 'https://example.com/windows',
      rule_1_os: 'Windows',
      rule_1_position: '1',
      rule_2_url: '',
    });
    assert.match(readable(saved.text), /Saved/);
    assert.match(
      saved.text,
      /name="rule_0_url" type="text" value="https:\/\/example\.com\/windows"/,
      'sorted by place',
    );
    const visit = await grace.send('GET', short);
    assert.equal(visit.headers.get('location'), 'https://example.com/windows');
    await eventually('the click is counted', async () => {
      const rows = readCsv((await grace.get(`${path}?format=csv&table=clicks`)).text);
      return rows.at(-1)?.[1] === '1';
    });
    assert.deepEqual(readCsv((await grace.get(`${path}?format=csv&table=systems`)).text)[1], ['Windows', '1', '100']);
    const wrong = await grace.post(path, {
      url: 'https://example.com/',
      rule_0_url: 'javascript:alert(1)',
      rule_0_countries: 'Narnia',
    });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="javascript:alert\(1\)"[^>]*aria-invalid="true"/);
    assert.match(readable(wrong.text), /two-letter codes of countries are needed/);
    assert.equal((await grace.send('GET', short)).headers.get('location'), 'https://example.com/windows', 'not saved');
    await grace.submit(`${path}/delete`);
    assert.equal((await grace.get(path)).status, 404);
    assert.equal((await grace.send('GET', short)).status, 404);
  });
});

describe('a payout', () => {
  it('is requested once, debited at once and listed', async () => {
    const grace = await Visitor.signedIn(service.sandbox, { deposit: 500 });
    const page = await grace.get('/console/payouts');
    const key = /name="key" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const fields = { amount: '150,50', method: 'manual', destination: 'card 1234', key };
    await grace.submit('/console/payouts', fields);
    const again = await grace.submit('/console/payouts', fields);
    assert.match(readable(again.text), /Available ₽349\.50/);
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), 34_950);
    const rows = readCsv((await grace.get('/console/payouts?format=csv')).text);
    assert.deepEqual(
      rows.slice(1).map((row) => row.slice(2, 6)),
      [['150.50', 'By hand: card, bank transfer, wallet', 'card 1234', 'waits for a decision']],
    );
  });

  it('is refused with a message when the amount or the destination is invalid', async () => {
    const grace = await Visitor.signedIn(service.sandbox, { deposit: 500 });
    const ask = async (fields: Record<string, string>): Promise<string> => {
      const answer = await grace.post('/console/payouts', {
        method: 'manual',
        destination: 'card',
        key: 'k',
        ...fields,
      });
      assert.equal(answer.status, 422);
      return readable(answer.text);
    };
    assert.match(await ask({ amount: '99' }), /Less than ₽100\.00 cannot be withdrawn/);
    assert.match(await ask({ amount: '501' }), /Only ₽500\.00 can be withdrawn/);
    assert.match(await ask({ amount: 'all' }), /does not look like an amount/);
    assert.match(await ask({ amount: '100', destination: ' ' }), /Say where to pay/);
    assert.match(await ask({ amount: '100', method: 'crypto-pay' }), /not available/);
    assert.match(await ask({ amount: '100', method: 'gold' }), /not available/);
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), 50_000);
  });
});
