import { type Static, Type } from 'typebox';
import {
  type Broadcast,
  broadcastStatus,
  findBroadcast,
  isBroadcastText,
  listBroadcasts,
  MAX_BROADCAST_TEXT,
  type Post,
} from '../../../modules/broadcasts/index.ts';
import { beginBroadcast } from '../../../modules/operators/index.ts';
import { type BotApi, failureOf } from '../../bot-api.ts';
import { Area, type BotContext, idIn, newNonce, nonceIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { bar, cursorsIn, press, readCursorPage, withNote } from '../screen.ts';
import { by, toOverview } from './overview.ts';

/** Broadcasts and their progress. */
export function broadcastsArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.casts', async (ctx, ...args) => {
    const { broadcasts } = ctx.texts.operator;
    const page = await readCursorPage(cursorsIn(args), 'op.casts', (before, limit) =>
      listBroadcasts(deps.db, { before, limit }),
    );
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

const BroadcastText = Type.String({ minLength: 1, maxLength: MAX_BROADCAST_TEXT });
const BroadcastDraft = Type.Object({
  ru: BroadcastText,
  en: Type.Optional(BroadcastText),
  /** The idempotency key in the last preview. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
type BroadcastDraft = Static<typeof BroadcastDraft>;
const broadcastDraft = wizardDraft('broadcast', BroadcastDraft);

/** A new broadcast: asks for the Russian and the English text, shows a preview, then sends it. */
export function newBroadcastArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.newcast', (ctx) => askRussian(ctx));

  async function askRussian(ctx: BotContext, problem?: string): Promise<void> {
    const text = withNote(problem, ctx.texts.operator.broadcasts.askRu({ most: most(ctx) }));
    await ctx.talk.ask('op.ru', [], { text, rows: [[cancel(ctx)]] });
  }

  area.onText('op.ru', async (ctx, text) => {
    if (!isBroadcastText(text)) return askRussian(ctx, tooLong(ctx));
    await broadcastDraft.keep(ctx, { ru: text.trim() });
    return askEnglish(ctx);
  });

  async function askEnglish(ctx: BotContext, problem?: string): Promise<void> {
    const { broadcasts } = ctx.texts.operator;
    await ctx.talk.ask('op.en', [], {
      text: withNote(problem, broadcasts.askEn({ most: most(ctx) })),
      rows: [[press(broadcasts.same, 'op.same')], [cancel(ctx)]],
    });
  }

  area.onText('op.en', async (ctx, text) =>
    isBroadcastText(text)
      ? showPreview(ctx, { ...broadcastDraft.of(ctx), en: text.trim() })
      : askEnglish(ctx, tooLong(ctx)),
  );
  area.onPress('op.same', (ctx) => {
    const draft = broadcastDraft.of(ctx);
    return showPreview(ctx, { ...draft, en: draft.ru });
  });

  async function showPreview(ctx: BotContext, draft: BroadcastDraft & { en: string }): Promise<void> {
    const nonce = newNonce();
    await broadcastDraft.keep(ctx, { ...draft, nonce });
    await ctx.talk.expectNothing();
    await ctx.talk.show({
      text: ctx.texts.operator.broadcasts.preview(draft),
      rows: [[press(ctx.texts.common.yes, 'op.send', nonce), press(ctx.texts.common.no, 'op.casts')]],
    });
  }

  area.onPress('op.send', async (ctx, given) => {
    const { ru, en, nonce } = broadcastDraft.of(ctx);
    if (nonce !== nonceIn(given) || en === undefined) throw new StaleButton('the preview of another broadcast');
    const outcome = await beginBroadcast(deps, { ...by(ctx), key: `bot:${nonce}`, textRu: ru, textEn: en });
    if (outcome.kind === 'invalid_text') return ctx.talk.toast(tooLong(ctx), { alert: true });
    return showBroadcast(deps, ctx, outcome.broadcast.id);
  });
  return area;
}

const most = ({ formats }: BotContext): string => formats.count(MAX_BROADCAST_TEXT);
const tooLong = (ctx: BotContext): string => ctx.texts.common.tooLong({ most: most(ctx) });
const cancel = ({ texts }: BotContext) => press(texts.common.cancel, 'op.casts');

/** Sends the text of a broadcast as it was typed, without markup. */
export const createBroadcastPost =
  (api: BotApi): Post =>
  async (telegramUserId, text) => {
    try {
      await api.service.sendMessage(telegramUserId, text);
      return { kind: 'sent' };
    } catch (error) {
      const failure = failureOf(error);
      return failure.kind === 'refused' ? { kind: 'refused' } : failure;
    }
  };
