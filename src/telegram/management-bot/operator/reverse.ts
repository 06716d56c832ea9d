import { type Static, Type } from 'typebox';
import { DAY_MS } from '../../../core/clock.ts';
import { html } from '../../../core/html.ts';
import { reverseSubscriptions } from '../../../modules/operators/index.ts';
import { MOST_REVERSED, type Selection, summarizeSelection } from '../../../modules/tasks/index.ts';
import { Area, type BotContext, choiceIn, idIn, newNonce, nonceIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { type Button, press, withNote } from '../screen.ts';
import { showBot } from './beta.ts';
import { showOrder } from './moderation.ts';
import { by, readLine } from './overview.ts';

const WHATS = ['order', 'bot'] as const;
/** Days; the longest period exceeds the retention of subscriptions. */
const PERIODS = ['1', '7', '30', '365'] as const;
const MAX_REASON = 300;

const ReverseDraft = Type.Object({
  what: Type.Unsafe<(typeof WHATS)[number]>({ type: 'string', enum: WHATS }),
  id: Type.Integer({ minimum: 1 }),
  /** Fixed by the preview, so that exactly the shown subscriptions are reversed. */
  fromMs: Type.Integer({ minimum: 0 }),
  untilMs: Type.Integer({ minimum: 0 }),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_REASON })),
  /** The idempotency key in the last question. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
type ReverseDraft = Static<typeof ReverseDraft>;
const reverseDraft = wizardDraft('reverse', ReverseDraft);

/**
 * Reverses subscriptions of an order or a bot: asks for the period, shows the amounts, asks for a reason and
 * confirmation.
 */
export function reverseArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.rev', async (ctx, given, subject) => {
    const { reverse } = ctx.texts.operator;
    const [what, id] = [choiceIn(given, WHATS), idIn(subject)];
    await ctx.talk.show({
      text: reverse.askPeriod[what]({ id }),
      rows: [
        ...PERIODS.map((days) => [press(reverse.periods[days], 'op.revp', what, id, days)]),
        [back(ctx, { what, id })],
      ],
    });
  });

  area.onPress('op.revp', async (ctx, given, subject, days) => {
    const untilMs = deps.clock.now().getTime();
    const fromMs = untilMs - Number(choiceIn(days, PERIODS)) * DAY_MS;
    const draft = { what: choiceIn(given, WHATS), id: idIn(subject), fromMs, untilMs };
    await reverseDraft.keep(ctx, draft);
    await askReason(ctx, draft);
  });

  async function askReason(ctx: BotContext, draft: ReverseDraft, problem?: string): Promise<void> {
    const { reverse } = ctx.texts.operator;
    const { reversals } = ctx.texts.shared.operator;
    const { rubles, count, moment } = ctx.formats;
    const summary = await summarizeSelection(deps.db, selectionOf(draft));
    if (summary.count === 0) return ctx.talk.show({ text: html`↩️ ${reversals.nothing}`, rows: [[back(ctx, draft)]] });
    await ctx.talk.ask('op.revwhy', [], {
      text: withNote(
        problem,
        reverse.preview({
          count: count(summary.count),
          from: moment(new Date(draft.fromMs)),
          reward: rubles(summary.rewardKopecks),
          settled: rubles(summary.settledKopecks),
          returned: rubles(summary.returnedKopecks),
          publishers: count(summary.publishers),
          most: summary.count > MOST_REVERSED ? reversals.most(count(MOST_REVERSED)) : undefined,
        }),
      ),
      rows: [[back(ctx, draft)]],
    });
  }

  area.onText('op.revwhy', async (ctx, text) => {
    const reason = readLine(text, MAX_REASON);
    const draft = reverseDraft.of(ctx);
    if (reason === undefined) return askReason(ctx, draft, ctx.texts.shared.inputs.textLength);
    const nonce = newNonce();
    await reverseDraft.keep(ctx, { ...draft, reason, nonce });
    await ctx.talk.expectNothing();
    const { count, rewardKopecks } = await summarizeSelection(deps.db, selectionOf(draft));
    const figures = {
      count: ctx.formats.count(Math.min(count, MOST_REVERSED)),
      reward: ctx.formats.rubles(rewardKopecks),
    };
    return ctx.talk.show({
      text: ctx.texts.operator.reverse.confirm({ ...figures, reason }),
      rows: [[press(ctx.texts.common.yes, 'op.revyes', nonce), back(ctx, draft)]],
    });
  });

  area.onPress('op.revyes', async (ctx, given) => {
    const draft = reverseDraft.of(ctx);
    const nonce = nonceIn(given);
    if (draft.nonce !== nonce || draft.reason === undefined) throw new StaleButton('the question of another reversal');
    const { reversals } = ctx.texts.shared.operator;
    const outcome = await reverseSubscriptions(deps, {
      ...by(ctx),
      selection: selectionOf(draft),
      reason: draft.reason,
      key: `bot:${nonce}`,
    });
    switch (outcome.kind) {
      case 'reversed': {
        const { count, rubles } = ctx.formats;
        ctx.talk.toast(reversals.done(count(outcome.count), rubles(outcome.rewardKopecks)));
        break;
      }
      case 'already_done':
        ctx.talk.toast(reversals.already);
        break;
      case 'nothing':
        ctx.talk.toast(reversals.nothing);
        break;
    }
    return draft.what === 'order' ? showOrder(deps, ctx, draft.id) : showBot(deps, ctx, draft.id);
  });
  return area;
}

const selectionOf = ({ what, id, fromMs, untilMs }: ReverseDraft): Selection => ({
  orderId: what === 'order' ? id : null,
  botId: what === 'bot' ? id : null,
  from: new Date(fromMs),
  until: new Date(untilMs),
});

const back = ({ texts }: BotContext, { what, id }: Pick<ReverseDraft, 'what' | 'id'>): Button =>
  press(texts.common.cancel, what === 'order' ? 'op.mod' : 'op.bot', id);
