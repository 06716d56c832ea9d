import { query } from '../support/books.ts';
import type { Cluster, Member } from './cluster.ts';
import { ask } from './outside.ts';
import type { Draw, Stage, StagedBot } from './stage.ts';
import type { Witness } from './witness.ts';

export interface Scene {
  readonly cluster: Cluster;
  readonly stage: Stage;
  readonly witness: Witness;
}

export interface Task {
  readonly orderId: number;
  readonly chatId: number;
}

/** The statuses that a fault may cause. Any other one is a violation. */
const EXCUSED: ReadonlySet<number> = new Set([200, 500, 503]);

/** Picks a running process, as a load balancer would. */
export function someApi({ cluster: { apis } }: Scene, draw: Draw): Member {
  const running = apis.filter((api) => api.isUp());
  return draw.of(running.length > 0 ? running : apis);
}

/** Sends a call of a publisher's bot and checks its reply. */
async function call(scene: Scene, api: Member, bot: StagedBot, path: string, body: unknown) {
  const { token } = bot;
  const reply = await ask(api, 'POST', `/api/v1/${path}`, { body, token });
  scene.witness.answered(reply?.status);
  if (reply === undefined || EXCUSED.has(reply.status)) return reply?.status === 200 ? reply.body : undefined;
  // A token that was rotated meanwhile may be refused.
  if (reply.status === 401 && bot.token !== token) return undefined;
  scene.witness.outrages.push(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return undefined;
}

export async function showTasks(scene: Scene, api: Member, bot: StagedBot, userId: number): Promise<Task[]> {
  const body = await call(scene, api, bot, 'get-sponsors', { user_id: userId });
  const sponsors = (body?.sponsors ?? []) as readonly { ads_id: number }[];
  return sponsors.flatMap(({ ads_id: orderId }) => {
    const chatId = scene.stage.chatOf(orderId);
    return chatId === undefined ? [] : { orderId, chatId };
  });
}

export async function join(api: Member, userId: number, { chatId }: Task, silent: boolean): Promise<void> {
  await ask(api, 'PUT', `/sandbox/chats/${chatId}/members/${userId}${silent ? '?silent=true' : ''}`);
}

/** Returns whether the reply reports the subscription as counted. */
export async function confirm(scene: Scene, api: Member, bot: StagedBot, userId: number, task: Task): Promise<boolean> {
  const { orderId } = task;
  const body = await call(scene, api, bot, 'confirm-subscription', { user_id: userId, ads_id: orderId });
  if (body?.code !== 'counted') return false;
  const rewardKopecks = Math.round(Number(body.credited) * 100);
  scene.witness.confirmed({ userId, botId: bot.botId, orderId, rewardKopecks });
  return true;
}

export async function leave(scene: Scene, api: Member, userId: number, task: Task, silent: boolean): Promise<void> {
  const { witness, cluster } = scene;
  const { chatId } = task;
  witness.leaves(userId, chatId);
  const reply = await ask(api, 'DELETE', `/sandbox/chats/${chatId}/members/${userId}${silent ? '?silent=true' : ''}`);
  if (reply?.status !== 204) return;
  // The database's time is never behind that of a process, so the user left no later than this.
  const noLaterThan = await serviceTime(cluster.postgres.url()).catch(() => undefined);
  if (noLaterThan !== undefined) witness.left.push({ userId, chatId, noLaterThan });
}

async function serviceTime(url: string): Promise<Date | undefined> {
  const [row] = await query<{ now: Date }>(
    url,
    "SELECT clock_timestamp() + clock_offset_ms * interval '1 millisecond' AS now FROM sandbox.state",
  );
  return row?.now;
}
