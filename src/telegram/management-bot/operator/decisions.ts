import { Type } from 'typebox';
import { Area, type BotContext, choiceIn, idIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { press, withNote } from '../screen.ts';
import type { ConfirmedActionName, ReasonedActionName } from '../texts/operator.ru.ts';
import { CONFIRMED, REASONED } from './actions.ts';
import { readLine } from './overview.ts';

const CONFIRMED_NAMES = Object.keys(CONFIRMED) as ConfirmedActionName[];
const REASONED_NAMES = Object.keys(REASONED) as ReasonedActionName[];
const MAX_TEXT = 300;

const reasonDraft = wizardDraft(
  'reason',
  Type.Object({
    what: Type.Unsafe<ReasonedActionName>({ type: 'string', enum: REASONED_NAMES }),
    id: Type.Integer({ minimum: 1 }),
    text: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
  }),
);

/** Asks the operator for confirmation, with a typed reason or proof where one is needed, and carries the action out. */
export function decisionsArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.confirm', async (ctx, given, subject) => {
    const [name, id] = [choiceIn(given, CONFIRMED_NAMES), idIn(subject)];
    const about = await CONFIRMED[name].describe(deps, ctx, id);
    if (about === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
    return ctx.talk.show({
      text: ctx.texts.operator.confirm[name]({ id, about }),
      rows: [[press(ctx.texts.common.yes, 'op.yes', name, id), press(ctx.texts.common.no, CONFIRMED[name].back, id)]],
    });
  });
  area.onPress('op.yes', async (ctx, given, subject) => {
    const [action, id] = [CONFIRMED[choiceIn(given, CONFIRMED_NAMES)], idIn(subject)];
    if ((await action.describe(deps, ctx, id)) === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
    ctx.talk.toast(await action.carryOut(deps, ctx, id, ''));
    return action.show(deps, ctx, id);
  });

  area.onPress('op.reason', (ctx, what, id) => askReason(ctx, choiceIn(what, REASONED_NAMES), idIn(id)));
  async function askReason(ctx: BotContext, what: ReasonedActionName, id: number, problem?: string): Promise<void> {
    await ctx.talk.ask('op.reason', [what, id], {
      text: withNote(problem, ctx.texts.operator.reason.ask[what]),
      rows: [[press(ctx.texts.common.cancel, REASONED[what].back, id)]],
    });
  }
  area.onText('op.reason', async (ctx, typed, given, subject) => {
    const [what, id] = [choiceIn(given, REASONED_NAMES), idIn(subject)];
    const text = readLine(typed, MAX_TEXT);
    if (text === undefined) return askReason(ctx, what, id, ctx.texts.shared.inputs.textLength);
    await reasonDraft.keep(ctx, { what, id, text });
    await ctx.talk.expectNothing();
    return ctx.talk.show({
      text: ctx.texts.operator.reason.confirm[what]({ id, text }),
      rows: [[press(ctx.texts.common.yes, 'op.do', what, id), press(ctx.texts.common.no, REASONED[what].back, id)]],
    });
  });
  area.onPress('op.do', async (ctx, given, subject) => {
    const [what, id] = [choiceIn(given, REASONED_NAMES), idIn(subject)];
    const draft = reasonDraft.of(ctx);
    if (draft.what !== what || draft.id !== id) throw new StaleButton('a decision without its words');
    ctx.talk.toast(await REASONED[what].carryOut(deps, ctx, id, draft.text));
    return REASONED[what].show(deps, ctx, id);
  });
  return area;
}
