import { setTimeout as sleep } from 'node:timers/promises';
import { createDraw } from './plan.ts';
import { confirm, join, leave, type Scene, showTasks, someApi, type Task } from './visitors.ts';

export interface Load {
  /** Waits until every simulated user has finished the current step. */
  stop(): Promise<void>;
}

/** Simulates users who open publishers' bots, get tasks, join, confirm, and sometimes leave. */
export function startLoad(scene: Scene, { visitors, seed }: { visitors: number; seed: number }): Load {
  const stopping = new AbortController();
  const all = Array.from({ length: visitors }, (_, index) => visit(scene, seed + index, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(all);
    },
  };
}

async function visit(scene: Scene, seed: number, signal: AbortSignal): Promise<void> {
  const draw = createDraw(seed);
  const done: { userId: number; task: Task }[] = [];
  while (!signal.aborted) {
    const userId = scene.stage.freshUser();
    const bot = draw.of(scene.stage.publishers);
    const tasks = await showTasks(scene, someApi(scene, draw), bot, userId);
    for (const task of tasks) {
      if (signal.aborted) return;
      // Some users confirm without joining, and some never confirm.
      const honesty = draw.share();
      if (honesty < 0.05) continue;
      if (honesty > 0.15) await join(someApi(scene, draw), userId, task, draw.chance(0.8));
      // Some users press twice, and a bot without a reply repeats the call at another process.
      const presses = draw.chance(0.3) ? 2 : 1;
      const answers = await Promise.all(
        Array.from({ length: presses }, () => confirm(scene, someApi(scene, draw), bot, userId, task)),
      );
      if (answers.includes(true)) done.push({ userId, task });
    }
    const leaver = draw.chance(0.15) ? done.splice(draw.whole(0, done.length - 1), 1)[0] : undefined;
    if (leaver !== undefined) {
      await leave(scene, someApi(scene, draw), leaver.userId, leaver.task, draw.chance(0.3));
    }
    // Pause even when every process is down, so that the loop does not spin.
    await sleep(tasks.length === 0 ? 150 : 20);
  }
}
