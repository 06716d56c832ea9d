import { EMPTY_LINE, type Html, lines } from '../../../core/html.ts';
import { Area, type BotContext, choiceIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { type Button, press, withNote } from '../screen.ts';
import {
  type DraftChange,
  draftsOf,
  isAnswered,
  keepDrafts,
  nextStep,
  type OrderDraft,
  orderDraftOf,
  STEPS,
  type Step,
  stepBefore,
  stepsOf,
} from './order-draft.ts';

/** One step: its text and its buttons. */
export interface StepScreen {
  readonly text: Html;
  readonly rows: readonly (readonly Button[])[];
  /** The input that handles a typed answer. */
  readonly input?: string;
  /** The step has its own “next” button. */
  readonly hasOwnWay?: boolean;
}

export type ShowStep = (ctx: BotContext, draft: OrderDraft) => StepScreen | Promise<StepScreen>;

/** Navigation between the steps. */
export interface Wizard {
  /** Stores an answer and shows the next step. */
  enter(ctx: BotContext, change: DraftChange): Promise<void>;
  /** Stores an answer and shows the same step. */
  stay(ctx: BotContext, change: DraftChange): Promise<void>;
  /** Shows the same step with a note about the wrong answer. */
  again(ctx: BotContext, note: string): Promise<void>;
  goTo(ctx: BotContext, step: Step, note?: string): Promise<void>;
}

export function createWizard(steps: Readonly<Record<Step, ShowStep>>): Wizard {
  async function change(ctx: BotContext, draft: OrderDraft, note?: string): Promise<void> {
    // Stored before it is shown, so that a restart in between loses no answer.
    await keepDrafts(ctx, { order: draft });
    const { text, rows, input, hasOwnWay } = await steps[draft.step](ctx, draft);
    const screen = {
      text: framed(ctx, draft, text, note),
      rows: [...rows, ...navigation(ctx, draft, hasOwnWay === true)],
    };
    await (input === undefined ? ctx.talk.show(screen) : ctx.talk.ask(input, [], screen));
  }

  return {
    async enter(ctx, answers) {
      const draft = merge(orderDraftOf(ctx), answers);
      await change(ctx, { ...draft, step: nextStep(draft) });
    },
    stay: (ctx, answers) => change(ctx, merge(orderDraftOf(ctx), answers)),
    again: (ctx, note) => change(ctx, orderDraftOf(ctx), note),
    async goTo(ctx, step, note) {
      const draft = orderDraftOf(ctx);
      await change(ctx, { ...draft, step: stepsOf(draft).includes(step) ? step : nextStep(draft) }, note);
    },
  };
}

/** An answer set to undefined is asked for again. */
function merge(draft: OrderDraft, change: DraftChange): OrderDraft {
  const all = Object.entries({ ...draft, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as OrderDraft;
}

function framed(ctx: BotContext, draft: OrderDraft, text: Html, note: string | undefined): Html {
  const { wizard } = ctx.texts.advertiser;
  const steps = stepsOf(draft);
  const step = { number: steps.indexOf(draft.step) + 1, total: steps.length };
  return withNote(note, lines(wizard.header(step), EMPTY_LINE, text));
}

/** Returns the buttons back, out, and past an answered step. */
function navigation(ctx: BotContext, draft: OrderDraft, hasOwnWay: boolean): Button[][] {
  const { common, advertiser } = ctx.texts;
  const before = stepBefore(draft);
  const canSkip = !hasOwnWay && isAnswered(draft, draft.step);
  return [
    canSkip ? [press(advertiser.wizard.keep, 'o.next')] : [],
    [
      before === undefined ? press(common.back, 'orders') : press(common.back, 'o.step', before),
      press(common.cancel, 'o.leave'),
    ],
  ];
}

/** Starts, resumes and navigates the wizard. */
export function wizardArea(_deps: ManagementBotDeps, wizard: Wizard): Area {
  const area = new Area();

  area.onPress('o.new', async (ctx) => {
    const { order } = draftsOf(ctx);
    if (order === undefined) return start(ctx);
    const { wizard: texts } = ctx.texts.advertiser;
    return ctx.talk.show({
      text: texts.startOver,
      rows: [
        [press(texts.continueDraft, 'o.resume')],
        [press(texts.dropDraft, 'o.fresh')],
        [press(ctx.texts.common.back, 'orders')],
      ],
    });
  });
  area.onPress('o.fresh', start);
  area.onPress('o.resume', (ctx) => wizard.goTo(ctx, orderDraftOf(ctx).step));
  area.onPress('o.step', (ctx, step) => wizard.goTo(ctx, choiceIn(step, STEPS)));
  area.onPress('o.next', (ctx) => wizard.enter(ctx, {}));

  async function start(ctx: BotContext): Promise<void> {
    await keepDrafts(ctx, { order: { step: 'kind' }, created: undefined });
    await wizard.goTo(ctx, 'kind');
  }
  return area;
}
