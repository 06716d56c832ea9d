import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { attack } from './attack.ts';

interface Reply {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Sends a request with a chosen Host header, as a browser does for a page; `fetch` would overwrite it. */
async function get(url: string, headers: Record<string, string>): Promise<Reply> {
  const sent = request(url, { headers, setHost: false, agent: false, signal: AbortSignal.timeout(10_000) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const PATHS = [
  '/sandbox/state',
  '/metrics',
  '/sandbox',
  '/sandbox/ledger',
  '/api/v1/health',
  '/docs/',
  '/console',
  '/x',
];

attack(
  "a page of another site points its name at the service's address and reads tokens and figures",
  async ({ sandbox, url }) => {
    const { token, accountId } = await sandbox.publisher({ deposit: 700 });
    const atStakeKopecks = BigInt(await sandbox.kopecks('available', accountId));
    const { port } = new URL(url);
    let lossKopecks = 0n;

    for (const host of [
      `evil.example:${port}`,
      'evil.example',
      `localhost.evil.example:${port}`,
      'LOCALHOST,evil.example',
    ])
      for (const path of PATHS) {
        const { status, headers, body } = await get(url + path, { host });
        if (body.includes(token) || /sponsorgate_http/.test(body)) lossKopecks = atStakeKopecks;
        if (status !== 421) {
          assert.notEqual(lossKopecks, 0n, `${host} ${path} got ${status}`);
          continue;
        }
        const { detail, code, message } = JSON.parse(body) as Record<string, unknown>;
        assert.deepEqual([detail, code, typeof message], ['Misdirected Request', 'wrong_host', 'string'], path);
        assert.ok(headers['x-request-id'] !== undefined && headers['ratelimit-policy'] !== undefined, path);
      }

    if (lossKopecks !== 0n) return lossKopecks;

    // A script can set this header. It must not help, and the header of a trusted proxy must still count.
    const both = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
    assert.equal((await get(`${url}/sandbox/state`, both)).status, 421);
    const forwarded = { host: `127.0.0.1:${port}`, 'x-forwarded-host': 'evil.example' };
    assert.equal((await get(`${url}/sandbox/state`, forwarded)).status, 421);

    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      'localhost',
      `[::1]:${port}`,
      '10.1.2.3:9000',
      'sponsors.example',
      'Sponsors.Example.:443',
      'go.example',
    ]) {
      assert.equal((await get(`${url}/api/v1/health`, { host })).status, 200, host);
      assert.match((await get(`${url}/sandbox/state`, { host })).body, new RegExp(token), host);
    }
    assert.equal((await get(`${url}/api/v1/health`, {})).status, 200, 'a health check without Host');
    return lossKopecks;
  },
  { PUBLIC_URL: 'https://sponsors.example', ALLOWED_HOSTS: 'go.example', TRUSTED_PROXIES: '127.0.0.1' },
);
