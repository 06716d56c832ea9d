/** Sends requests for tasks and confirms, and measures their cost. Shared by several benchmarks. */
import type { OpenDatabase } from '../src/db/index.ts';
import { addOpenTasks, type Ground, type OpenTasks } from './fill.ts';
import { type LoadResult, request, sendLoad } from './load.ts';
import type { Server } from './stage.ts';

/** As many as a few dozen bots keep open. */
export const CONNECTIONS = 256;
const ROUND_SECONDS = 1;

export interface Round extends LoadResult {
  /** Processor time of the server per request. */
  readonly microseconds: number;
}

export async function cost(server: Server, next: () => Buffer | undefined): Promise<Round> {
  const before = await server.cpu();
  const result = await sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: ROUND_SECONDS });
  return { ...result, microseconds: ((await server.cpu()) - before) / result.answers };
}

export function ask({ token }: Ground, userId: number): Buffer {
  const body = { user_id: userId, first_name: 'Анна', username: 'anna', language_code: 'ru', is_premium: false };
  return request('/api/v1/get-sponsors', body, { Auth: token });
}

let lastUser = 8_500_000_000;

/** Returns requests that each come from a new user. */
export const showTasks =
  (ground: Ground): (() => Buffer) =>
  () =>
    ask(ground, ++lastUser);

/** Opens one task for each of the users. Returns the requests that confirm them, then undefined. */
export async function confirmTasks(
  db: OpenDatabase,
  ground: Ground,
  tasks: OpenTasks,
): Promise<() => Buffer | undefined> {
  await addOpenTasks(db, ground, tasks);
  let sent = 0;
  return () => {
    if (sent === tasks.users) return undefined;
    const body = { user_id: tasks.firstUser + sent, ads_id: tasks.firstOrder + (sent % tasks.orders) };
    sent += 1;
    return request('/api/v1/confirm-subscription', body, { Auth: ground.token });
  };
}
