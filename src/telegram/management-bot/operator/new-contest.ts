import { DAY_MS } from '../../../core/clock.ts';
import { sumKopecks } from '../../../core/money.ts';
import { createContest } from '../../../modules/operators/index.ts';
import { Area, type BotContext, choiceIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { newNonce, nonceIn } from '../nonce.ts';
import { press, withNote } from '../screen.ts';
import { by } from './by-operator.ts';
import { type ContestDraft, contestDraftOf, keepContestDraft } from './contest-draft.ts';
import { showContest } from './contests.ts';
import { nextMonday, readMoscowTime, tomorrow } from './moscow-time.ts';
import { readLine } from './read-line.ts';
import { readPrizes } from './read-prizes.ts';

const MAX_NAME = 100;
const MAX_PRIZES = 100;
const STARTS = ['now', 'tomorrow', 'monday'] as const;
const LENGTHS = ['7', '14', '30'] as const;

/** A new contest: asks for name, period and prizes, then for confirmation. */
export function newContestArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.newcon', async (ctx) => {
    await keepContestDraft(ctx, {});
    await askName(ctx);
  });

  async function askName(ctx: BotContext, problem?: string): Promise<void> {
    const text = withNote(problem, ctx.texts.operator.contests.askName);
    await ctx.talk.ask('op.cname', [], { text, rows: [[cancel(ctx)]] });
  }

  area.onText('op.cname', async (ctx, text) => {
    const name = readLine(text, MAX_NAME);
    if (name === undefined) return askName(ctx, ctx.texts.operator.contests.nameLength);
    await keepContestDraft(ctx, { name });
    return askStart(ctx);
  });

  async function askStart(ctx: BotContext, problem?: string): Promise<void> {
    const { contests } = ctx.texts.operator;
    await ctx.talk.ask('op.cfrom', [], {
      text: withNote(problem, contests.askStart),
      rows: [...STARTS.map((start) => [press(contests[start], 'op.cfrom', start)]), [cancel(ctx)]],
    });
  }

  area.onText('op.cfrom', async (ctx, text) => {
    const start = readMoscowTime(text);
    return start === undefined ? askStart(ctx, ctx.texts.operator.contests.wrongTime) : enterStart(ctx, start);
  });
  area.onPress('op.cfrom', (ctx, chosen) => enterStart(ctx, STARTING[choiceIn(chosen, STARTS)](deps.clock.now())));

  async function enterStart(ctx: BotContext, start: Date): Promise<void> {
    await keepContestDraft(ctx, { ...contestDraftOf(ctx), startsAtMs: start.getTime() });
    await askEnd(ctx);
  }

  async function askEnd(ctx: BotContext, problem?: string): Promise<void> {
    const { contests } = ctx.texts.operator;
    const start = ctx.formats.moment(startOf(contestDraftOf(ctx)));
    await ctx.talk.ask('op.cto', [], {
      text: withNote(problem, contests.askEnd({ start })),
      rows: [LENGTHS.map((days) => press(contests.days[days], 'op.cto', days)), [cancel(ctx)]],
    });
  }

  area.onText('op.cto', async (ctx, text) => {
    const end = readMoscowTime(text);
    return end === undefined ? askEnd(ctx, ctx.texts.operator.contests.wrongTime) : enterEnd(ctx, end);
  });
  area.onPress('op.cto', (ctx, chosen) => {
    const days = Number(choiceIn(chosen, LENGTHS));
    return enterEnd(ctx, new Date(startOf(contestDraftOf(ctx)).getTime() + days * DAY_MS));
  });

  async function enterEnd(ctx: BotContext, end: Date): Promise<void> {
    const { contests } = ctx.texts.operator;
    const draft = contestDraftOf(ctx);
    if (end <= startOf(draft)) return askEnd(ctx, contests.endBeforeStart);
    if (end <= deps.clock.now()) return askEnd(ctx, contests.endInPast);
    await keepContestDraft(ctx, { ...draft, endsAtMs: end.getTime() });
    return askPrizes(ctx);
  }

  async function askPrizes(ctx: BotContext, problem?: string): Promise<void> {
    const text = withNote(problem, ctx.texts.operator.contests.askPrizes);
    await ctx.talk.ask('op.cwin', [], { text, rows: [[cancel(ctx)]] });
  }

  area.onText('op.cwin', async (ctx, text) => {
    const prizes = readPrizes(text, MAX_PRIZES);
    if (prizes !== undefined) return showSummary(ctx, { ...contestDraftOf(ctx), prizes: prizes.map(Number) });
    return askPrizes(ctx, ctx.texts.operator.contests.wrongPrizes({ most: ctx.formats.count(MAX_PRIZES) }));
  });

  async function showSummary(ctx: BotContext, draft: ContestDraft): Promise<void> {
    const { contests } = ctx.texts.operator;
    const { rubles, moment } = ctx.formats;
    const nonce = newNonce();
    const { name, startsAt, endsAt, prizesKopecks } = completeContest(draft);
    await keepContestDraft(ctx, { ...draft, nonce });
    await ctx.talk.expectNothing();
    await ctx.talk.show({
      text: contests.summary({
        name,
        from: moment(startsAt),
        until: moment(endsAt),
        prizes: prizesKopecks.map(rubles).join(', '),
        total: rubles(sumKopecks(prizesKopecks)),
      }),
      rows: [[press(ctx.texts.common.yes, 'op.mkcon', nonce), press(ctx.texts.common.no, 'op.cons')]],
    });
  }

  area.onPress('op.mkcon', async (ctx, given) => {
    const { contests } = ctx.texts.operator;
    const draft = contestDraftOf(ctx);
    if (draft.nonce !== nonceIn(given)) throw new StaleButton('the summary of another contest');
    const outcome = await createContest(deps, by(ctx), { key: `bot:${draft.nonce}`, ...completeContest(draft) });
    if (outcome.kind === 'invalid') return ctx.talk.toast(contests.refused, { alert: true });
    ctx.talk.toast(contests.created);
    return showContest(deps, ctx, outcome.contest.id);
  });
  return area;
}

const STARTING: Readonly<Record<(typeof STARTS)[number], (now: Date) => Date>> = {
  now: (now) => now,
  tomorrow,
  monday: nextMonday,
};

function startOf({ startsAtMs }: ContestDraft): Date {
  if (startsAtMs === undefined) throw new StaleButton('a contest without its beginning');
  return new Date(startsAtMs);
}

/** Returns the complete contest; throws when a part is missing. */
function completeContest(draft: ContestDraft) {
  const { name, endsAtMs, prizes } = draft;
  if (name === undefined || endsAtMs === undefined || prizes === undefined) {
    throw new StaleButton('a contest without its parts');
  }
  return { name, startsAt: startOf(draft), endsAt: new Date(endsAtMs), prizesKopecks: prizes.map(BigInt) };
}

const cancel = ({ texts }: BotContext) => press(texts.common.cancel, 'op.cons');
