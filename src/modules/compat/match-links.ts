import { orderOfCheckLink } from '../tasks/index.ts';
import type { UserTask } from './gate.ts';

/**
 * Returns the user's task behind each link that a call showed. The link of a bot that its advertiser checks has a click
 * id in its query, which is left out of the comparison. A link to the human check names its order.
 */
export function findByLinks(tasks: readonly UserTask[], links: readonly string[]): ReadonlyMap<string, UserTask> {
  const byLink = new Map(tasks.map((task) => [withoutQuery(task.order.link), task]));
  const byOrder = new Map(tasks.map((task) => [task.order.id, task]));
  return new Map(
    links.flatMap((link) => {
      const task = byOrder.get(orderOfCheckLink(link) ?? 0) ?? byLink.get(withoutQuery(link));
      return task === undefined ? [] : [[link, task] as const];
    }),
  );
}

const withoutQuery = (link: string): string => link.split('?', 1)[0]?.replace(/\/$/, '').toLowerCase() ?? '';
