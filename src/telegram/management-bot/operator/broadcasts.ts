import { type Broadcast, broadcastStatus, findBroadcast, listBroadcasts } from '../../../modules/broadcasts/index.ts';
import { Area, type BotContext, idIn } from '../bot-context.ts';
import { cursorPage, cursorsIn } from '../cursor-pages.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { PAGE_SIZE, press } from '../screen.ts';
import { toOverview } from './overview.ts';

const BAR_CELLS = 12;

/** Broadcasts and their progress. */
export function broadcastsArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.casts', async (ctx, ...args) => {
    const { broadcasts } = ctx.texts.operator;
    const cursors = cursorsIn(args);
    const found = await listBroadcasts(deps.db, { before: cursors.at(-1), limit: PAGE_SIZE + 1 });
    const page = cursorPage(found, cursors, 'op.casts');
    await ctx.talk.show({
      text: broadcasts.title,
      rows: [
        [press(broadcasts.start, 'op.newcast')],
        ...page.items.map((broadcast) => {
          const status = broadcasts.statuses[broadcastStatus(broadcast)];
          const text = textFor(ctx, broadcast).replace(/\s+/g, ' ');
          return [press(broadcasts.line({ id: broadcast.id, status, text }), 'op.cast', broadcast.id)];
        }),
        page.arrows,
        [toOverview(ctx)],
      ],
    });
  });

  area.onPress('op.cast', (ctx, id) => showBroadcast(deps, ctx, idIn(id)));
  return area;
}

export async function showBroadcast({ db }: ManagementBotDeps, ctx: BotContext, id: number): Promise<void> {
  const { operator, common } = ctx.texts;
  const { broadcasts } = operator;
  const { count, moment } = ctx.formats;
  const broadcast = await findBroadcast(db, id);
  if (broadcast === undefined) return ctx.talk.toast(operator.gone);
  const { sent, failed, total } = broadcast;
  const status = broadcastStatus(broadcast);
  await ctx.talk.show({
    text: broadcasts.page({
      id,
      status: broadcasts.statuses[status],
      created: moment(broadcast.createdAt),
      bar: bar(total === 0 ? 1 : (sent + failed) / total),
      done: count(sent + failed),
      total: count(total),
      sent: count(sent),
      failed: count(failed),
      text: textFor(ctx, broadcast),
    }),
    rows: [
      [
        press(common.refresh, 'op.cast', id),
        ...(status === 'sending' ? [press(broadcasts.stop, 'op.confirm', 'stop', id)] : []),
      ],
      [press(broadcasts.list, 'op.casts'), toOverview(ctx)],
    ],
  });
}

const textFor = ({ person }: BotContext, { textRu, textEn }: Broadcast): string =>
  person.language === 'ru' ? textRu : textEn;

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_CELLS);
  return '▓'.repeat(full) + '░'.repeat(BAR_CELLS - full);
}
