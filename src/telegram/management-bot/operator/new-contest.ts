import { type Static, Type } from 'typebox';
import { addDays, businessDay } from '../../../core/clock.ts';
import { readRubles } from '../../../core/locale.ts';
import { type Kopecks, sumKopecks } from '../../../core/money.ts';
import { createContest } from '../../../modules/operators/index.ts';
import { Area, type BotContext, choiceIn, newNonce, nonceIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { press, withNote } from '../screen.ts';
import { showContest } from './contests.ts';
import { by, readLine } from './overview.ts';

const MAX_NAME = 100;
const MAX_PRIZES = 100;
const STARTS = ['now', 'tomorrow', 'monday'] as const;
const LENGTHS = ['7', '14', '30'] as const;

const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });

const ContestDraft = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  startsAtMs: Type.Optional(Time),
  endsAtMs: Type.Optional(Time),
  /** Kopecks by place. */
  prizes: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 100 })),
  /** The idempotency key in the last summary. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
type ContestDraft = Static<typeof ContestDraft>;
const contestDraft = wizardDraft('contest', ContestDraft);

/** A new contest: asks for name, period and prizes, then for confirmation. */
export function newContestArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.newcon', async (ctx) => {
    await contestDraft.keep(ctx, {});
    await askName(ctx);
  });

  async function askName(ctx: BotContext, problem?: string): Promise<void> {
    const text = withNote(problem, ctx.texts.operator.contests.askName);
    await ctx.talk.ask('op.cname', [], { text, rows: [[cancel(ctx)]] });
  }

  area.onText('op.cname', async (ctx, text) => {
    const name = readLine(text, MAX_NAME);
    if (name === undefined) return askName(ctx, ctx.texts.operator.contests.nameLength);
    await contestDraft.keep(ctx, { name });
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
    await contestDraft.keep(ctx, { ...contestDraft.of(ctx), startsAtMs: start.getTime() });
    await askEnd(ctx);
  }

  async function askEnd(ctx: BotContext, problem?: string): Promise<void> {
    const { contests } = ctx.texts.operator;
    const start = ctx.formats.moment(startOf(contestDraft.of(ctx)));
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
    return enterEnd(ctx, addDays(startOf(contestDraft.of(ctx)), days));
  });

  async function enterEnd(ctx: BotContext, end: Date): Promise<void> {
    const { contests } = ctx.texts.operator;
    const draft = contestDraft.of(ctx);
    if (end <= startOf(draft)) return askEnd(ctx, contests.endBeforeStart);
    if (end <= deps.clock.now()) return askEnd(ctx, contests.endInPast);
    await contestDraft.keep(ctx, { ...draft, endsAtMs: end.getTime() });
    return askPrizes(ctx);
  }

  async function askPrizes(ctx: BotContext, problem?: string): Promise<void> {
    const text = withNote(problem, ctx.texts.operator.contests.askPrizes);
    await ctx.talk.ask('op.cwin', [], { text, rows: [[cancel(ctx)]] });
  }

  area.onText('op.cwin', async (ctx, text) => {
    const prizes = readPrizes(text, MAX_PRIZES);
    if (prizes !== undefined) return showSummary(ctx, { ...contestDraft.of(ctx), prizes: prizes.map(Number) });
    return askPrizes(ctx, ctx.texts.operator.contests.wrongPrizes({ most: ctx.formats.count(MAX_PRIZES) }));
  });

  async function showSummary(ctx: BotContext, draft: ContestDraft): Promise<void> {
    const { contests } = ctx.texts.operator;
    const { rubles, moment } = ctx.formats;
    const nonce = newNonce();
    const { name, startsAt, endsAt, prizesKopecks } = completeContest(draft);
    await contestDraft.keep(ctx, { ...draft, nonce });
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
    const draft = contestDraft.of(ctx);
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

/** Moscow has no daylight saving time. */
const OFFSET = '+03:00';
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/;
const RUSSIAN = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ ,]+(\d{1,2}):(\d{2}))?$/;

/** Reads a typed Moscow time: `2026-12-01 12:00`, `01.12.2026 12:00`, or a day without an hour. */
export function readMoscowTime(text: string): Date | undefined {
  const typed = text.trim();
  const iso = ISO.exec(typed);
  const russian = RUSSIAN.exec(typed);
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : [russian?.[3], russian?.[2], russian?.[1]];
  const [hour = '00', minute = '00'] = [(iso ?? russian)?.[4], (iso ?? russian)?.[5]];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${date}T${hour.padStart(2, '0')}:${minute}:00${OFFSET}`);
  // Date accepts 30 February as a day in March; reject it.
  return Number.isNaN(time.getTime()) || businessDay(time) !== date ? undefined : time;
}

const startOfDay = (day: string): Date => new Date(`${day}T00:00:00${OFFSET}`);

export function tomorrow(now: Date): Date {
  return startOfDay(businessDay(addDays(now, 1)));
}

/** The next Monday after today. */
export function nextMonday(now: Date): Date {
  const weekday = new Date(`${businessDay(now)}T00:00:00Z`).getUTCDay();
  const days = (8 - weekday) % 7 || 7;
  return startOfDay(businessDay(addDays(now, days)));
}

/** Reads typed prizes by place: `5000, 3000, 1000`. A comma separates prizes; kopecks follow a dot. */
export function readPrizes(text: string, most: number): Kopecks[] | undefined {
  const parts = text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const prizes = parts.map(readRubles);
  if (prizes.length === 0 || prizes.length > most) return undefined;
  return prizes.every((prize) => prize !== undefined && prize > 0n) ? (prizes as Kopecks[]) : undefined;
}
