import { drawGraph, PictureFailed, renderPng } from '../../../charts/index.ts';
import { EMPTY_LINE, type Html, lines } from '../../../core/html.ts';
import { listBotsOfAccount } from '../../../modules/bots/index.ts';
import {
  type Case,
  type CaseExample,
  canReverse,
  type FigureName,
  findCase,
  findOverride,
  type GraphNode,
  isUndecided,
  listCasesOfAccount,
  listQueue,
} from '../../../modules/cases/index.ts';
import { previewReversal } from '../../../modules/operators/index.ts';
import { findQuality } from '../../../modules/quality/index.ts';
import { explainReason, QUALITY_TEXTS } from '../../../texts/quality.ts';
import { Area, type BotContext, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, type Button, inPairs, PAGE_SIZE, pageOf, press } from '../screen.ts';
import { ownerLine, toOverview } from './overview.ts';

/** The message of a screen is limited, so the rest of the examples is in the console. */
const SHOWN_EXAMPLES = 5;
const SHOWN_BOTS = 8;
const SHOWN_CASES = 6;

/** Cases that wait for a decision, the most money at risk first. */
export function casesArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.cases', async (ctx, number) => {
    const words = ctx.texts.operator.cases;
    const offset = pageIn(number) * PAGE_SIZE;
    const page = pageOf(await listQueue(deps.db, { limit: PAGE_SIZE + 1, offset }), pageIn(number));
    await ctx.talk.show({
      text: page.items.length === 0 ? words.empty : words.title,
      rows: [...page.items.map((one) => [caseButton(ctx, one)]), arrows(page, 'op.cases'), [toOverview(ctx)]],
    });
  });

  area.onPress('op.case', (ctx, id) => showCase(deps, ctx, idIn(id)));
  area.onPress('op.graph', (ctx, id) => showGraph(deps, ctx, idIn(id)));
  return area;
}

const caseButton = ({ texts, formats }: BotContext, { id, kind, status, riskKopecks, answer }: Case): Button =>
  press(
    texts.operator.cases.line({
      id,
      risk: formats.rubles(riskKopecks),
      kind: texts.shared.cases.kinds[kind],
      isHeld: status === 'held',
      isAnswered: answer !== null,
    }),
    'op.case',
    id,
  );

/** Shows a case to an operator: figures, examples and the decisions that are left. */
export async function showCase(deps: ManagementBotDeps, ctx: BotContext, caseId: number): Promise<void> {
  const found = await findCase(deps.db, caseId);
  if (found === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
  const words = ctx.texts.operator.cases;
  const { kinds, statuses, subjects } = ctx.texts.shared.cases;
  const { evidence, subject, status } = found;
  const { rubles, moment } = ctx.formats;
  const preview = await previewLine(deps, ctx, found);
  await ctx.talk.expectNothing();
  await ctx.talk.show({
    text: words.page({
      id: caseId,
      kind: kinds[found.kind],
      status: statuses[status],
      risk: rubles(found.riskKopecks),
      subject: subjects[subject.type](subject.id),
      opened: moment(found.openedAt),
      owner: await ownerLine(deps, ctx, found.accountId),
      figures: figuresOf(ctx, found),
      reasons: evidence.reasons.map((reason) => explainReason(ctx.person.language, reason)),
      changes: evidence.changes.map(({ field, before, after }) => ({
        name: ctx.texts.shared.cases.changes[field],
        before: before === '' ? ctx.texts.shared.cases.none : before,
        after: after === '' ? ctx.texts.shared.cases.none : after,
      })),
      examples: evidence.examples.slice(0, SHOWN_EXAMPLES).map((example) => exampleLine(ctx, example)),
      more: Math.max(0, evidence.examples.length - SHOWN_EXAMPLES),
      shared: evidence.graph.nodes
        .filter(({ type }) => type !== 'account' && type !== 'user')
        .map(({ type, label }) => ctx.texts.shared.cases.nodes[type](label)),
      decision: found.decisionReason ?? undefined,
      answer: found.answer ?? undefined,
      preview,
    }),
    rows: [
      ...decisions(ctx, found, preview !== undefined),
      evidence.graph.edges.length === 0 ? [] : [press(words.graph, 'op.graph', caseId)],
      [...subjectButton(ctx, found), press(ctx.texts.operator.toAccount, 'op.a', found.accountId)],
      [press(words.queue, 'op.cases'), toOverview(ctx)],
    ],
  });
}

/** Shows what accounts or users share as a picture. */
async function showGraph(deps: ManagementBotDeps, ctx: BotContext, caseId: number): Promise<void> {
  const found = await findCase(deps.db, caseId);
  if (found === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
  const words = ctx.texts.operator.cases;
  const { nodes } = ctx.texts.shared.cases;
  const photo = await drawCase(deps, words.graphTitle({ id: caseId }), found, ({ type, label }) => nodes[type](label));
  if (photo === undefined) return ctx.talk.toast(words.noGraph, { alert: true });
  await ctx.talk.show({
    text: words.graphCaption({ id: caseId, kind: ctx.texts.shared.cases.kinds[found.kind] }),
    photo,
    rows: [[press(words.toCase, 'op.case', caseId)]],
  });
}

/** Returns undefined when drawing fails; the case names the shared things as text too. */
async function drawCase(
  { log }: Pick<ManagementBotDeps, 'log'>,
  title: string,
  { id: caseId, evidence: { graph } }: Case,
  nameOf: (node: GraphNode) => string,
): Promise<Buffer | undefined> {
  // People and accounts stand on the left, the things that they share on the right.
  const nodes = graph.nodes.map((node) => {
    const side = node.type === 'account' || node.type === 'user' ? ('left' as const) : ('right' as const);
    return { id: node.id, label: nameOf(node), side };
  });
  try {
    return await renderPng(drawGraph({ title, nodes, edges: graph.edges }));
  } catch (error) {
    if (!(error instanceof PictureFailed)) throw error;
    log.warn({ err: error, caseId }, 'graph of a case not drawn');
    return undefined;
  }
}

function figuresOf({ texts, formats }: BotContext, { evidence }: Case): { name: string; value: string }[] {
  return Object.entries(evidence.figures).map(([name, value]) => ({
    name: texts.shared.cases.figures[name as FigureName] ?? name,
    value: name.endsWith('_kopecks') ? formats.rubles(BigInt(value)) : formats.count(value),
  }));
}

const exampleLine = ({ texts, formats }: BotContext, example: CaseExample): string =>
  texts.operator.cases.example({
    at: formats.moment(new Date(example.at)),
    user: example.user_id,
    bot: example.bot_id,
    order: example.order_id,
    payout: example.payout_id,
    amount: example.kopecks === undefined ? undefined : formats.rubles(BigInt(example.kopecks)),
    note: example.note,
  });

async function previewLine(deps: ManagementBotDeps, ctx: BotContext, found: Case): Promise<string | undefined> {
  if (!canReverse(found) || !(isUndecided(found.status) || found.status === 'reversed')) return undefined;
  const { count, rubles } = ctx.formats;
  const preview = await previewReversal(deps, found);
  if (found.status === 'reversed' && preview.count === 0) return undefined;
  return ctx.texts.operator.cases.preview({
    count: count(preview.count),
    reward: rubles(preview.rewardKopecks),
    settled: rubles(preview.settledKopecks),
  });
}

/** Returns the buttons of the decisions that are left. The use cases check again. A reversal that ended early continues. */
function decisions({ texts }: BotContext, found: Case, hasReversible: boolean): Button[][] {
  const words = texts.operator.cases;
  const { id } = found;
  const reverse = hasReversible ? [press(words.reverse, 'op.reason', 'crev', id)] : [];
  if (!isUndecided(found.status)) return [reverse];
  return [
    [
      press(words.clear, 'op.reason', 'cclear', id),
      ...(found.status === 'held' ? [] : [press(words.hold, 'op.reason', 'chold', id)]),
    ],
    [...reverse, press(words.ban, 'op.reason', 'cban', id)],
  ];
}

function subjectButton({ texts }: BotContext, { subject }: Case): Button[] {
  const words = texts.operator.cases;
  if (subject.type === 'order') return [press(words.toOrder, 'op.mod', subject.id)];
  return subject.type === 'bot' ? [press(words.toBot, 'op.bot', subject.id)] : [];
}

/** The undecided cases of an account, for the screen of its payout. */
export const openCasesOf = (deps: ManagementBotDeps, accountId: number): Promise<Case[]> =>
  listCasesOfAccount(deps.db, { accountId, isUndecided: true, limit: 50 });

/** Returns the undecided cases and the quality of the account's bots, for the screen of its payout. */
export async function riskLines(
  deps: ManagementBotDeps,
  ctx: BotContext,
  { accountId, cases }: { accountId: number; cases: readonly Case[] },
): Promise<Html> {
  const { ofPayout, quality } = ctx.texts.operator.cases;
  const qualityOfBots = await qualityLines(deps, ctx, accountId);
  return lines(
    cases.length === 0 ? ofPayout.none : ofPayout.title,
    ...cases
      .slice(0, SHOWN_CASES)
      .map(({ id, kind, riskKopecks }) =>
        ofPayout.line({ id, kind: ctx.texts.shared.cases.kinds[kind], risk: ctx.formats.rubles(riskKopecks) }),
      ),
    qualityOfBots.length === 0 ? undefined : EMPTY_LINE,
    qualityOfBots.length === 0 ? undefined : quality.title,
    ...qualityOfBots,
  );
}

export const caseButtons = ({ texts }: BotContext, cases: readonly Case[]): Button[][] =>
  inPairs(
    cases.slice(0, SHOWN_CASES).map(({ id }) => press(texts.operator.cases.ofPayout.open({ id }), 'op.case', id)),
  );

async function qualityLines({ db }: ManagementBotDeps, ctx: BotContext, accountId: number): Promise<Html[]> {
  const bots = (await listBotsOfAccount(db, accountId)).slice(0, SHOWN_BOTS);
  const qualities = await findQuality(
    db,
    bots.map(({ id }) => id),
  );
  return bots.map(({ id, username }) => {
    const quality = qualities.get(id);
    return ctx.texts.operator.cases.quality.line({
      bot: username,
      level: QUALITY_TEXTS[ctx.person.language].levels[quality?.level ?? 'new'],
      score: quality?.score == null ? undefined : ctx.formats.count(quality.score),
    });
  });
}

/** Returns the quality of one bot for an operator, with the buttons that set its level. */
export async function qualityOfBot(
  { db }: ManagementBotDeps,
  ctx: BotContext,
  { botId, username }: { botId: number; username: string },
): Promise<{ readonly text: Html; readonly rows: Button[][] }> {
  const { quality: words } = ctx.texts.operator.cases;
  const [quality, override] = await Promise.all([findQuality(db, [botId]), findOverride(db, botId)]);
  const found = quality.get(botId);
  const level = found?.level ?? 'new';
  const { levels, setByOperator } = QUALITY_TEXTS[ctx.person.language];
  const text = lines(
    EMPTY_LINE,
    words.title,
    words.line({
      bot: username,
      level: levels[level],
      score: found?.score == null ? undefined : ctx.formats.count(found.score),
    }),
    override && words.because({ text: setByOperator(override.reason) }),
    ...(found?.reasons ?? []).map((reason) => words.because({ text: explainReason(ctx.person.language, reason) })),
  );
  const choices = (['good', 'watched', 'low'] as const)
    .filter((choice) => override?.level !== choice)
    .map((choice) => press(words[choice], 'op.reason', `q${choice}`, botId));
  const restore = override === undefined ? [] : [press(words.restore, 'op.confirm', 'qrestore', botId)];
  return { text, rows: [choices, restore] };
}
