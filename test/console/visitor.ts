import assert from 'node:assert/strict';
import { Person } from '../support/person.ts';
import type { Sandbox } from '../support/sandbox.ts';

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

/** A person with an account and a browser, which keeps cookies, follows links and sends forms. */
export class Visitor {
  readonly sandbox: Sandbox;
  readonly person: Person;
  readonly accountId: number;
  readonly cookies = new Map<string, string>();
  /** The form token of the last page. */
  csrf = '';

  private constructor(sandbox: Sandbox, person: Person, accountId: number) {
    this.sandbox = sandbox;
    this.person = person;
    this.accountId = accountId;
  }

  /** Creates a person with an account who is not signed in. */
  static async arrive(
    sandbox: Sandbox,
    options: { name?: string; language?: 'ru' | 'en'; deposit?: number; userId?: number } = {},
  ): Promise<Visitor> {
    const { name = 'Grace', language = 'en', deposit = 0 } = options;
    const profile = { first_name: name, language_code: language };
    const person = await Person.arrive(sandbox, {
      ...profile,
      ...(options.userId !== undefined && { user_id: options.userId }),
    });
    const { account_id: accountId } = await sandbox.control('POST', '/accounts', {
      user_id: person.id,
      name,
      deposit,
    });
    return new Visitor(sandbox, person, accountId);
  }

  /** Creates a signed-in visitor. */
  static async signedIn(sandbox: Sandbox, options: Parameters<typeof Visitor.arrive>[1] = {}): Promise<Visitor> {
    const visitor = await Visitor.arrive(sandbox, options);
    await visitor.signIn();
    return visitor;
  }

  /** Returns the same person on another device. */
  elsewhere(): Visitor {
    return new Visitor(this.sandbox, this.person, this.accountId);
  }

  /** Requests a one-time link in the management bot. */
  async link(): Promise<string> {
    await this.person.say('/start');
    const labels = (await this.person.menu()).buttons.flat().join();
    const { keyboard } = await this.person.press(labels.includes('Web console') ? 'Web console' : 'Веб-кабинет');
    const url = keyboard.flat().find((button) => typeof button.url === 'string')?.url;
    assert.ok(typeof url === 'string', 'the bot gave no link');
    return url;
  }

  /** Signs in with a link of the bot. */
  async signIn(): Promise<void> {
    const code = new URL(await this.link()).searchParams.get('code') ?? '';
    const response = await this.send('POST', '/console/enter', new URLSearchParams({ code }));
    assert.equal(response.status, 303, response.text);
    assert.equal((await this.get('/console')).status, 200);
  }

  /** Signs in although the account is banned: the command of the bot still works then. */
  async signInBanned(): Promise<void> {
    const { keyboard } = await this.person.say('/console');
    const url = keyboard.flat().find((button) => typeof button.url === 'string')?.url ?? '';
    const code = new URL(url).searchParams.get('code') ?? '';
    const response = await this.send('POST', '/console/enter', new URLSearchParams({ code }));
    assert.equal(response.status, 303, response.text);
  }

  /** Returns a page and stores the token of its forms. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Seen> {
    const seen = await this.send('GET', path, undefined, headers);
    this.csrf = /name="csrf" value="([^"]+)"/.exec(seen.text)?.[1] ?? this.csrf;
    return seen;
  }

  /** Sends a form with the token of the last page. */
  post(path: string, fields: Record<string, string | readonly string[]> = {}): Promise<Seen> {
    const body = new URLSearchParams({ csrf: this.csrf });
    for (const [name, value] of Object.entries(fields)) {
      for (const one of typeof value === 'string' ? [value] : value) body.append(name, one);
    }
    return this.send('POST', path, body);
  }

  /** Sends a form, which must succeed, and returns the page that follows. */
  async submit(path: string, fields: Record<string, string | readonly string[]> = {}): Promise<Seen> {
    const response = await this.post(path, fields);
    assert.equal(response.status, 303, `${path} returned ${response.status}: ${response.text.slice(0, 2_000)}`);
    return this.get(response.headers.get('location') ?? '');
  }

  async send(
    method: string,
    path: string,
    body?: URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<Seen> {
    const response = await fetch(new URL(path, this.sandbox.url), {
      method,
      redirect: 'manual',
      headers: {
        'user-agent': CHROME,
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'accept-language': 'en',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'POST' && { 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(30_000),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? [];
      if (/Max-Age=0\b/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    // The byte order mark is part of a file, so the decoder must keep it.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, text };
  }
}

/** Returns the visible text: without markup, with plain spaces. */
export function readable(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/[\s\u00a0\u202f]+/g, ' ');
}

/** Parses a CSV file as RFC 4180 defines it. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

/** Moves the sandbox to the next noon in Moscow, so that a test does not cross midnight. */
export async function untilNoon(sandbox: Sandbox): Promise<void> {
  const { now } = await sandbox.control('GET', '/state');
  const moscowSeconds = (Math.floor(new Date(now).getTime() / 1000) + 3 * 3600) % 86_400;
  await sandbox.advance((43_200 - moscowSeconds + 86_400) % 86_400);
}
