import { Type } from 'typebox';
import {
  answerCase,
  type Case,
  canAnswer,
  findCase,
  isUndecided,
  listCasesOfAccount,
  MAX_ANSWER,
} from '../../../modules/cases/index.ts';
import { Area, type BotContext, idIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { cursorsIn, press, readCursorPage, withNote } from '../screen.ts';
import { toBalance } from './balance-screen.ts';

const answerDraft = wizardDraft(
  'answer',
  Type.Object({
    caseId: Type.Integer({ minimum: 1 }),
    text: Type.String({ minLength: 1, maxLength: MAX_ANSWER }),
  }),
);

/** The cases of the person's own account. The person may answer each once. */
export function ownCasesArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('cases', async (ctx, ...args) => {
    const words = ctx.texts.cases;
    const { accountId } = ctx.person;
    const page = await readCursorPage(cursorsIn(args), 'cases', (before, limit) =>
      listCasesOfAccount(deps.db, { accountId, before, limit }),
    );
    await ctx.talk.show({
      text: page.items.length === 0 ? words.empty : words.title,
      rows: [
        ...page.items.map(({ id, kind, status }) => {
          const { kinds, statuses } = ctx.texts.shared.cases;
          return [press(words.line({ id, kind: kinds[kind], status: statuses[status] }), 'case', id)];
        }),
        page.arrows,
        ctx.person.isBanned ? [] : [toBalance(ctx)],
      ],
    });
  });

  area.onPress('case', (ctx, id) => show(ctx, idIn(id)));

  /** A case of another account looks like one that does not exist. */
  async function findOwn(ctx: BotContext, caseId: number): Promise<Case> {
    const found = await findCase(deps.db, caseId);
    if (found?.accountId !== ctx.person.accountId) throw new StaleButton('a case of another account');
    return found;
  }

  async function show(ctx: BotContext, caseId: number): Promise<void> {
    const found = await findOwn(ctx, caseId);
    const { kinds, why, statuses, subjects } = ctx.texts.shared.cases;
    const words = ctx.texts.cases;
    await ctx.talk.show({
      text: words.page({
        id: caseId,
        kind: kinds[found.kind],
        why: why[found.kind],
        status: statuses[found.status],
        subject: subjects[found.subject.type](found.subject.id),
        opened: ctx.formats.moment(found.openedAt),
        reason: found.decisionReason ?? undefined,
        answer: found.answer ?? undefined,
        isUndecided: isUndecided(found.status),
      }),
      rows: [
        canAnswer(found) ? [press(words.answer, 'case.say', caseId)] : [],
        [press(words.list, 'cases'), ...(ctx.person.isBanned ? [] : [toBalance(ctx)])],
      ],
    });
  }

  area.onPress('case.say', async (ctx, id) => ask(ctx, (await findOwn(ctx, idIn(id))).id));
  async function ask(ctx: BotContext, caseId: number, problem?: string): Promise<void> {
    await ctx.talk.ask('case.say', [caseId], {
      text: withNote(problem, ctx.texts.cases.ask),
      rows: [[press(ctx.texts.common.cancel, 'case', caseId)]],
    });
  }

  area.onText('case.say', async (ctx, typed, id) => {
    const caseId = idIn(id);
    const text = typed.trim();
    if (text === '' || text.length > MAX_ANSWER) {
      return ask(ctx, caseId, ctx.texts.shared.cases.outcomes.answerLength);
    }
    await answerDraft.keep(ctx, { caseId, text });
    await ctx.talk.expectNothing();
    return ctx.talk.show({
      text: ctx.texts.cases.confirm({ text }),
      rows: [[press(ctx.texts.common.yes, 'case.sent', caseId), press(ctx.texts.common.no, 'case', caseId)]],
    });
  });

  area.onPress('case.sent', async (ctx, id) => {
    const { caseId, text } = answerDraft.of(ctx);
    if (caseId !== idIn(id)) throw new StaleButton('the answer to another case');
    const { outcomes } = ctx.texts.shared.cases;
    const outcome = await answerCase(deps, { caseId, accountId: ctx.person.accountId, text });
    if (outcome.kind === 'not_found') throw new StaleButton('a case of another account');
    const said = { answered: outcomes.answered, too_late: outcomes.tooLate, invalid: outcomes.answerLength };
    ctx.talk.toast(said[outcome.kind]);
    return show(ctx, caseId);
  });
  return area;
}
