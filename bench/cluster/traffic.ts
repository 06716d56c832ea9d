/**
 * Load for the tests of failover and upgrades: bots that call get-sponsors again and again, and users who join and
 * confirm. It records every response, so that a test can tell what was served when, and which confirms were
 * acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Advertised, freshUser, Sandbox } from '../../test/support/sandbox.ts';

export type Call = 'get-sponsors' | 'confirm';

interface Result {
  readonly call: Call;
  readonly at: number;
  /** Such as `200`, `503` or `timeout`. */
  readonly result: string;
}

export interface Traffic {
  /** The users whose confirm was acknowledged as counted. */
  readonly acknowledged: ReadonlySet<number>;
  /** How often each result came, such as `200`, `503`, `500` or `timeout`, by call. */
  readonly results: Readonly<Record<Call, Map<string, number>>>;
  /** Details of unexpected results, at most a few. */
  readonly examples: readonly string[];
  /** Returns the longest time without a success of this call between two moments. */
  longestGap(call: Call, from: number, to: number): Gap;
  /** Returns the results of every second between two moments, one line each. */
  describe(from: number, to: number): string[];
  /** Returns the moment of the last success of a call. */
  lastSuccess(call: Call): number;
  /** Confirms the users who have joined, then ends. */
  stop(): Promise<void>;
  /** Ends without waiting for confirms that may never be served. */
  abandon(): Promise<void>;
}

/** A time without a success, in milliseconds, and the moment at which it ended. */
interface Gap {
  readonly length: number;
  readonly end: number;
}

interface TrafficOptions {
  /** The addresses of the service; callers use them in turn. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly order: Advertised;
  readonly callers: number;
  /** The pause of a caller between two calls. */
  readonly pauseMs: number;
}

/** Longer than the service may take to notice a server that hangs. */
const TIMEOUT_MS = 15_000;
/** Users who have joined and wait to be confirmed, so that a confirm can be tried at any moment. */
const PREPARED = 60;
const MAX_EXAMPLES = 8;

export function startTraffic({ urls, token, order, callers, pauseMs }: TrafficOptions): Traffic {
  const acknowledged = new Set<number>();
  const results: Record<Call, Map<string, number>> = { 'get-sponsors': new Map(), confirm: new Map() };
  const examples: string[] = [];
  const all: Result[] = [];
  const prepared: number[] = [];
  let isOver = false;
  let isAbandoned = false;
  let turn = 0;

  const urlOf = (): string => urls[turn++ % urls.length] ?? '';

  async function post(call: Call, path: string, body: object): Promise<Record<string, unknown> | undefined> {
    let result: string;
    let answer: Record<string, unknown> | undefined;
    const url = urlOf();
    try {
      const response = await fetch(`${url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', auth: token },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      result = String(response.status);
      if (response.status === 503 && !response.headers.has('retry-after')) result = '503 without Retry-After';
      if (response.status === 200) answer = JSON.parse(text) as Record<string, unknown>;
      else if (response.status !== 503 && examples.length < MAX_EXAMPLES) {
        examples.push(`${call} ${response.status}: ${text.slice(0, 300)}`);
      }
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      result = isTimeout ? 'timeout' : 'no connection';
      if (!isTimeout && examples.length < MAX_EXAMPLES) {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
        examples.push(`${call} to ${url}: ${String(error)} ${cause}`);
      }
    }
    if (answer !== undefined && call === 'confirm' && answer.code !== 'counted') result = `200 ${String(answer.code)}`;
    results[call].set(result, (results[call].get(result) ?? 0) + 1);
    all.push({ call, at: performance.now(), result });
    return result === '200' ? answer : undefined;
  }

  /** Known users, as most of the traffic of a publisher's bot. */
  async function repeat(): Promise<void> {
    const users = Array.from({ length: 20 }, () => freshUser());
    for (let n = 0; !isOver; n++) {
      const answer = await post('get-sponsors', 'get-sponsors', { user_id: users[n % users.length] });
      await sleep(answer === undefined ? 100 : pauseMs);
    }
  }

  /** Shows the task to new users and lets them join; a failed step is repeated. */
  async function prepare(): Promise<void> {
    while (!isOver) {
      if (prepared.length >= PREPARED) {
        await sleep(pauseMs);
        continue;
      }
      const user = freshUser();
      const isShown = async (): Promise<boolean> => {
        const answer = await post('get-sponsors', 'get-sponsors', { user_id: user });
        const sponsors = (answer?.sponsors ?? []) as { ads_id: number }[];
        return sponsors.some(({ ads_id }) => ads_id === order.orderId);
      };
      const hasJoined = (): Promise<boolean> =>
        new Sandbox(urlOf()).join(order.chatId, user, true).then(
          () => true,
          () => false,
        );
      for (const step of [isShown, hasJoined]) while (!isOver && !(await step())) await sleep(200);
      if (!isOver) prepared.push(user);
    }
  }

  async function confirm(): Promise<void> {
    while (!isAbandoned && (!isOver || prepared.length > 0)) {
      const user = prepared.shift();
      if (user === undefined) {
        await sleep(20);
        continue;
      }
      const body = { user_id: user, ads_id: order.orderId };
      // A publisher's bot repeats a confirm that got no response. It must count once.
      let answer: object | undefined;
      while (answer === undefined && !isAbandoned) {
        answer = await post('confirm', 'confirm-subscription', body);
        if (answer === undefined) await sleep(100);
      }
      if (answer !== undefined) acknowledged.add(user);
      await sleep(pauseMs);
    }
  }

  const loops = Array.from({ length: callers }, () => [repeat(), prepare(), confirm()]).flat();
  return {
    acknowledged,
    results,
    examples,
    longestGap(call, from, to) {
      const isServed = (one: Result): boolean => one.call === call && one.result === '200';
      const times = all.filter((one) => isServed(one) && one.at > from && one.at < to).map(({ at }) => at);
      let longest: Gap = { length: 0, end: from };
      let last = from;
      for (const at of [...times, to]) {
        if (at - last > longest.length) longest = { length: at - last, end: at };
        last = at;
      }
      return longest;
    },
    describe(from, to) {
      const lines: string[] = [];
      for (let begin = from; begin < to; begin += 1_000) {
        const counts = new Map<string, number>();
        for (const { call, at, result } of all) {
          if (at < begin || at >= begin + 1_000) continue;
          const name = `${call} ${result}`;
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        const text = [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
        lines.push(`${Math.round((begin - from) / 1_000)} s: ${text || 'no response'}`);
      }
      return lines;
    },
    lastSuccess: (call) => all.findLast((one) => one.call === call && one.result === '200')?.at ?? 0,
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
    async abandon() {
      isOver = true;
      isAbandoned = true;
      await Promise.all(loops);
    },
  };
}
