import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { startOn } from '../support/service.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService();

const shift = (visitor: Visitor, column: 'seen_at' | 'expires_at', hours: number) =>
  service.database.db.query(
    `UPDATE console_sessions SET ${column} = ${column} - make_interval(hours => $2) WHERE account_id = $1`,
    [visitor.accountId, hours],
  );

describe('a session', () => {
  it('ends after twelve hours without use', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await shift(grace, 'seen_at', 11);
    assert.equal((await grace.get('/console')).status, 200);
    await shift(grace, 'seen_at', 11);
    assert.equal((await grace.get('/console')).status, 200, 'the page before was a use');
    await shift(grace, 'seen_at', 12);
    assert.equal((await grace.get('/console')).status, 401);
  });

  it('ends after seven days even when used', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await shift(grace, 'expires_at', 7 * 24 - 1);
    assert.equal((await grace.get('/console')).status, 200);
    await shift(grace, 'expires_at', 1);
    assert.equal((await grace.get('/console')).status, 401);
  });

  it('does not end when the sandbox’s clock is moved', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await service.sandbox.advance(48 * 3600);
    assert.equal((await grace.get('/console')).status, 200);
  });

  it('ends by signing out, and other sessions stay', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const other = grace.elsewhere();
    await other.signIn();
    const cookie = [...grace.cookies];
    const answer = await grace.post('/console/sign-out');
    assert.match(readable(answer.text), /You are signed out/);
    assert.equal(grace.cookies.size, 0, 'the cookie is taken back');
    for (const [name, value] of cookie) grace.cookies.set(name, value);
    assert.equal((await grace.get('/console')).status, 401, 'and worth nothing');
    assert.equal((await other.get('/console')).status, 200);
  });

  it('is listed with its device and can be ended from another device, alone or with all others', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const [second, third] = [grace.elsewhere(), grace.elsewhere()];
    await second.signIn();
    const list = await grace.get('/console/sessions');
    assert.match(readable(list.text), /Chrome, Windows this one/);
    const ids = [...list.text.matchAll(/\/console\/sessions\/(\d+)\/end"/g)].map((match) => match[1]);
    assert.equal(ids.length, 2);
    // The current session is first in the list.
    await grace.submit(`/console/sessions/${ids[1]}/end`);
    assert.deepEqual([(await second.get('/console')).status, (await grace.get('/console')).status], [401, 200]);
    await third.signIn();
    await grace.post('/console/sessions/end-all');
    assert.deepEqual([(await third.get('/console')).status, (await grace.get('/console')).status], [401, 401]);
  });

  it('can be ended from the bot', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await grace.person.say('/start');
    await grace.person.go('Web console', 'Sign out everywhere', 'Yes');
    assert.equal((await grace.get('/console')).status, 401);
  });

  it('of a banned account ends at once and stays ended when the ban is lifted', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const ban = (set: string) => service.database.db.query(`UPDATE accounts SET ${set} WHERE id = ${grace.accountId}`);
    await ban("banned_at = now(), ban_reason = 'fraud'");
    assert.equal((await grace.get('/console')).status, 401);
    await ban('banned_at = NULL, ban_reason = NULL');
    assert.equal((await grace.get('/console')).status, 401);
    await grace.signIn();
  });

  it('that a banned owner opens reaches only the cases, until the ban is lifted', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const ban = (set: string) => service.database.db.query(`UPDATE accounts SET ${set} WHERE id = ${grace.accountId}`);
    const statusOf = async (path: string) => (await grace.get(path)).status;
    await ban("banned_at = now(), ban_reason = 'fraud'");
    await grace.signInBanned();
    for (const path of [
      '',
      '/bots',
      '/orders',
      '/payouts',
      '/history',
      '/webhooks',
      '/sessions',
      '/links',
      '/missing',
    ]) {
      assert.equal(await statusOf(`/console${path}`), 403, path);
    }
    const { status, text } = await grace.get('/console/cases');
    assert.equal(status, 200);
    assert.doesNotMatch(text, /href="\/console\/(bots|payouts|orders)"/, 'the menu has nothing else');
    assert.equal((await grace.post('/console/sessions/end-all')).status, 403);
    await ban('banned_at = NULL, ban_reason = NULL');
    assert.equal(await statusOf('/console'), 200);
  });

  it('of a former operator ends; a new operator has to sign in again', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const settings = { OPERATOR_IDS: String(grace.person.id) };
    const operated = await startOn(service.database.url, settings);
    try {
      const before = grace.elsewhere();
      for (const [name, value] of grace.cookies) before.cookies.set(name, value);
      assert.equal((await before.get('/console')).status, 200, 'an owner goes on as an owner');
      const operator = grace.elsewhere();
      const code = new URL(await operator.link()).searchParams.get('code') ?? '';
      await operator.send('POST', `${operated.url}/console/enter`, new URLSearchParams({ code }));
      assert.equal((await operator.get(`${operated.url}/console`)).status, 200);
      // A second service on the same database has no such operator.
      assert.equal((await operator.get('/console')).status, 401);
      assert.equal((await operator.get(`${operated.url}/console`)).status, 401, 'and it is gone for good');
    } finally {
      await operated.stop();
    }
  });
});

describe('the cookie', () => {
  it('is hidden from scripts and not sent with requests of other sites', async () => {
    const grace = await Visitor.arrive(service.sandbox);
    const code = new URL(await grace.link()).searchParams.get('code') ?? '';
    const answer = await grace.send('POST', '/console/enter', new URLSearchParams({ code }));
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(cookie, /^console=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('is Secure and bound to the host when the public address is https', async () => {
    const secured = await startOn(service.database.url, {
      PORT: String(await freePort()),
      PUBLIC_URL: 'https://console.example',
    });
    try {
      const grace = await Visitor.arrive(service.sandbox);
      const code = new URL(await grace.link()).searchParams.get('code') ?? '';
      const answer = await grace.send('POST', `${secured.url}/console/enter`, new URLSearchParams({ code }));
      const [cookie = ''] = answer.headers.getSetCookie();
      assert.match(cookie, /^__Host-console=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      assert.equal((await grace.get(`${secured.url}/console`)).status, 200);
    } finally {
      await secured.stop();
    }
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
