import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { isBroadcastText, MAX_BROADCAST_TEXT } from '../../../modules/broadcasts/index.ts';
import { beginBroadcast } from '../../../modules/operators/index.ts';
import { Area, type BotContext, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { newNonce, nonceIn } from '../nonce.ts';
import { press, withNote } from '../screen.ts';
import { showBroadcast } from './broadcasts.ts';
import { by } from './by-operator.ts';

const BroadcastText = Type.String({ minLength: 1, maxLength: MAX_BROADCAST_TEXT });
const BroadcastDraft = Type.Object({
  wizard: Type.Literal('broadcast'),
  ru: BroadcastText,
  en: Type.Optional(BroadcastText),
  /** The idempotency key in the last preview. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
type BroadcastDraft = Static<typeof BroadcastDraft>;

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
    await ctx.talk.keepDraft({ wizard: 'broadcast', ru: text.trim() } satisfies BroadcastDraft);
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
    isBroadcastText(text) ? showPreview(ctx, { ...draftOf(ctx), en: text.trim() }) : askEnglish(ctx, tooLong(ctx)),
  );
  area.onPress('op.same', (ctx) => {
    const draft = draftOf(ctx);
    return showPreview(ctx, { ...draft, en: draft.ru });
  });

  async function showPreview(ctx: BotContext, draft: BroadcastDraft & { en: string }): Promise<void> {
    const nonce = newNonce();
    await ctx.talk.keepDraft({ ...draft, nonce } satisfies BroadcastDraft);
    await ctx.talk.expectNothing();
    await ctx.talk.show({
      text: ctx.texts.operator.broadcasts.preview(draft),
      rows: [[press(ctx.texts.common.yes, 'op.send', nonce), press(ctx.texts.common.no, 'op.casts')]],
    });
  }

  area.onPress('op.send', async (ctx, given) => {
    const { ru, en, nonce } = draftOf(ctx);
    if (nonce !== nonceIn(given) || en === undefined) throw new StaleButton('the preview of another broadcast');
    const outcome = await beginBroadcast(deps, { ...by(ctx), key: `bot:${nonce}`, textRu: ru, textEn: en });
    if (outcome.kind === 'invalid_text') return ctx.talk.toast(tooLong(ctx), { alert: true });
    return showBroadcast(deps, ctx, outcome.broadcast.id);
  });
  return area;
}

function draftOf({ talk }: BotContext): BroadcastDraft {
  const draft = talk.draftOf('broadcast');
  if (Value.Check(BroadcastDraft, draft)) return draft;
  throw new StaleButton('a broadcast that is gone');
}

const most = ({ formats }: BotContext): string => formats.count(MAX_BROADCAST_TEXT);
const tooLong = (ctx: BotContext): string => ctx.texts.common.tooLong({ most: most(ctx) });
const cancel = ({ texts }: BotContext) => press(texts.common.cancel, 'op.casts');
