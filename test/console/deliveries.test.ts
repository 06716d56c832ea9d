import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { readable, untilNoon, Visitor } from './visitor.ts';

const service = useService();

describe('a delivery', () => {
  it('shows its payload, and headers and body of each response as text', async () => {
    const { sandbox } = service;
    const grace = await Visitor.signedIn(sandbox);
    await grace.get('/console/webhooks');
    const url = `${sandbox.url}/sandbox/inbox/deliveries`;
    const created = await grace.post('/console/webhooks', { url, events: ['payout.sent'] });
    const path = created.headers.get('location') ?? '';
    await grace.get(path);
    await grace.submit(`${path}/test`);
    await eventually('the test event is delivered', async () =>
      readable((await grace.get(path)).text).includes('delivered'),
    );
    const page = await grace.get(path);
    const text = readable(page.text);
    assert.match(text, /Payload .*&quot;type&quot;: &quot;|Payload \{ .*"type": "/);
    assert.match(text, /Response headers .*x-request-id: /);
    assert.match(text, /HTTP 20\d/);
  });

  it('is replayed alone and as part of a range of time', async () => {
    const { sandbox } = service;
    const grace = await Visitor.signedIn(sandbox);
    await grace.get('/console/webhooks');
    const url = `${sandbox.url}/sandbox/inbox/range`;
    const created = await grace.post('/console/webhooks', { url, events: ['payout.sent'] });
    const path = created.headers.get('location') ?? '';
    await grace.get(path);
    await grace.submit(`${path}/test`);
    await eventually('the test event is delivered', async () =>
      readable((await grace.get(path)).text).includes('delivered'),
    );
    const since = '2020-01-01T00:00';
    const nothing = await grace.submit(`${path}/replay`, { since, until: '2020-01-02T00:00' });
    assert.match(readable(nothing.text), /0 events in the queue/);
    const all = await grace.submit(`${path}/replay`, { since });
    assert.match(readable(all.text), /1 event in the queue/);
    const wrong = await grace.submit(`${path}/replay`, { since, until: '2019-01-01T00:00' });
    assert.match(readable(wrong.text), /the end has to come after the beginning/);
  });
});

describe('a chart', () => {
  it('names its unit, compares with the period before and leads to the subscriptions of a day', async () => {
    const { sandbox } = service;
    await untilNoon(sandbox);
    const grace = await Visitor.signedIn(sandbox);
    const { bot_id: botId, api_token: token } = await sandbox.control('POST', '/bots', { account_id: grace.accountId });
    const order = await sandbox.advertise({ price_per_sub: 10, quantity: 5 });
    const user = freshUser();
    await sandbox.subscribe(String(token), order, user);
    const page = await grace.get(`/console/bots/${botId}`);
    assert.match(readable(page.text), /the period before: ₽0\.00/);
    assert.match(page.text, /class="y-axis"[^>]*>(<span>[^<]*<\/span>)*<span>₽/, 'the axis has the currency');
    const [, day = ''] =
      new RegExp(`data-href="(/console/bots/${botId}/days/[\\d-]+)"[^>]*>[^<]*<title>[^<]*Counted: 1`).exec(
        page.text,
      ) ?? [];
    const list = readable((await grace.get(day)).text);
    assert.match(list, new RegExp(`${user}`));
    assert.match(list, /in hold/);
    const overview = await grace.get('/console');
    assert.match(readable(overview.text), /Leaving hold.*by hour by day/);
    assert.equal((await grace.get('/console?hold=day')).status, 200);
    const stranger = await Visitor.signedIn(sandbox);
    assert.equal((await stranger.get(day)).status, 404);
    assert.equal((await grace.get(`/console/bots/${botId}/days/yesterday`)).status, 404);
  });
});
