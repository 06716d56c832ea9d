import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '../../src/core/secrets.ts';
import { useService } from '../api/use-service.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService();
const codeIn = (link: string): string => new URL(link).searchParams.get('code') ?? '';
const enter = (visitor: Visitor, code: string) => visitor.send('POST', '/console/enter', new URLSearchParams({ code }));

describe('the one-time link', () => {
  it('names the account, stays valid when opened, and signs its owner in', async () => {
    const grace = await Visitor.arrive(service.sandbox, { name: 'Grace <i>' });
    const link = await grace.link();
    for (let look = 0; look < 3; look++) {
      const page = await grace.get(link);
      assert.equal(page.status, 200);
      assert.match(readable(page.text), new RegExp(`Grace <i> \\(Account no. ${grace.accountId}\\)`));
      assert.equal(grace.cookies.size, 0);
    }
    const answer = await enter(grace, codeIn(link));
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/console']);
    assert.match(readable((await grace.get('/console')).text), /Overview.*Available/s);
  });

  it('works once, even with concurrent uses', async () => {
    const grace = await Visitor.arrive(service.sandbox);
    const code = codeIn(await grace.link());
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter(grace.elsewhere(), code)));
    assert.deepEqual(answers.map(({ status }) => String(status)).sort(), [
      '303',
      ...Array.from({ length: 7 }, () => '403'),
    ]);
    assert.equal((await grace.elsewhere().get(`/console/enter?code=${code}`)).status, 403);
  });

  it('expires after five minutes', async () => {
    const { db } = service.database;
    const grace = await Visitor.arrive(service.sandbox);
    const code = codeIn(await grace.link());
    const [row] = await db.query<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - clock_timestamp())::int AS seconds FROM console_codes WHERE account_id = $1',
      [grace.accountId],
    );
    assert.ok(row !== undefined && row.seconds > 200 && row.seconds <= 300, `${row?.seconds} s`);
    await db.query("UPDATE console_codes SET expires_at = expires_at - interval '300 seconds' WHERE account_id = $1", [
      grace.accountId,
    ]);
    assert.equal((await grace.get(`/console/enter?code=${code}`)).status, 403);
    assert.equal((await enter(grace, code)).status, 403);
    assert.equal(grace.cookies.size, 0);
  });

  it('expires when a newer one is requested', async () => {
    const grace = await Visitor.arrive(service.sandbox);
    const [older, newer] = [codeIn(await grace.link()), codeIn(await grace.link())];
    assert.equal((await enter(grace, older)).status, 403);
    assert.equal((await enter(grace, newer)).status, 303);
  });

  it('is stored as a hash, and so is the cookie', async () => {
    const { db } = service.database;
    const grace = await Visitor.arrive(service.sandbox);
    const code = codeIn(await grace.link());
    const codes = await db.query<{ code_hash: Buffer }>('SELECT code_hash FROM console_codes WHERE account_id = $1', [
      grace.accountId,
    ]);
    assert.deepEqual(codes, [{ code_hash: sha256(code) }]);
    await enter(grace, code);
    const [cookie = ''] = [...grace.cookies.values()];
    assert.ok(Buffer.from(cookie, 'base64url').length >= 32, '256 random bits');
    const sessions = await db.query<{ token_hash: Buffer }>(
      'SELECT token_hash FROM console_sessions WHERE account_id = $1',
      [grace.accountId],
    );
    assert.deepEqual(sessions, [{ token_hash: sha256(cookie) }]);
  });

  it('with an invented code fails, and failures are rate limited', async () => {
    const visitor = await Visitor.arrive(service.sandbox);
    const statuses: number[] = [];
    for (let guess = 0; guess < 40; guess++) {
      const { status } = await enter(visitor, 'A'.repeat(42) + String.fromCharCode(65 + (guess % 26)));
      statuses.push(status);
    }
    assert.deepEqual([...new Set(statuses.map(String))].sort(), ['403', '429']);
    // A valid link still works, because only failures are counted.
    assert.equal((await enter(visitor, codeIn(await visitor.link()))).status, 303);
  });

  it('posted from another site signs in no account', async () => {
    const grace = await Visitor.arrive(service.sandbox);
    const body = new URLSearchParams({ code: codeIn(await grace.link()) });
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const answer = await grace.elsewhere().send('POST', '/console/enter', body, headers);
      assert.equal(answer.status, 403);
    }
    assert.equal((await enter(grace, body.get('code') ?? '')).status, 303);
  });
});
