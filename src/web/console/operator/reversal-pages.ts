import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { reverseSubscriptions } from '../../../modules/operators/index.ts';
import {
  MOST_REVERSED,
  type Selection,
  type SelectionSummary,
  summarizeSelection,
} from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { form, hidden, textField } from '../parts/form.ts';
import { NOTHING, panel, tile, tiles } from '../parts/pieces.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, refused, type Visit } from '../visit.ts';
import { lineIn, MAX_WORDS } from './ask-words.ts';
import { by, FOR_OPERATORS, REVERSALS } from './operator-path.ts';

const KEY = /^[0-9a-f-]{36}$/;

/** Takes counted subscriptions back, chosen by bot, order and time, after a look at what that means in money. */
export function reversalPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  async function show(visit: Visit, given: URLSearchParams, wrongReason?: string): Promise<Page> {
    const { operator } = visit.texts;
    const isAsked = given.has('bot') || given.has('order');
    const selection = isAsked ? selectionIn(given, visit.now) : undefined;
    const summary = selection && (await summarizeSelection(deps.db, selection));
    const wrong = isAsked && selection === undefined ? operator.reversals.wrongChoice : undefined;
    return {
      title: operator.menu.reversals,
      section: REVERSALS,
      body: html`${choice(visit, given, wrong)}${selection === undefined || summary === undefined ? NOTHING : preview(visit, selection, summary, wrongReason)}`,
      ...(wrong !== undefined || wrongReason !== undefined ? { status: 422 } : {}),
    };
  }

  router.page(REVERSALS, (visit) => show(visit, visit.query), FOR_OPERATORS);

  router.action(
    REVERSALS,
    async (visit, sent) => {
      const words = visit.texts.operator.reversals;
      const key = sent.get('key') ?? '';
      const selection = selectionIn(sent, visit.now);
      if (!KEY.test(key) || selection === undefined) throw new ApiError('validation_failed', 'The form is not whole.');
      const reason = lineIn(sent, 'reason');
      if (reason === undefined) return show(visit, sent, visit.texts.operator.wrongText);
      const outcome = await reverseSubscriptions(deps, { ...by(visit), selection, reason, key: `console:${key}` });
      const { count, rubles } = visit.formats;
      switch (outcome.kind) {
        case 'reversed':
          return done(REVERSALS, words.done({ count: count(outcome.count), reward: rubles(outcome.rewardKopecks) }));
        case 'already_done':
          return done(REVERSALS, words.already);
        case 'nothing':
          return refused(REVERSALS, words.nothing);
      }
    },
    { ...FOR_OPERATORS, back: () => REVERSALS },
  );
}

/** Moscow time as a form writes it. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

function timeIn(text: string, fallback: Date): Date | undefined {
  if (text === '') return fallback;
  // The preview hands its exact moments on, so that what is reversed is what was shown.
  if (/^\d{1,15}$/.test(text)) return new Date(Number(text));
  const time = TIME.test(text) ? new Date(`${text}:00+03:00`) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

/** Nothing when a bot or an order is not named, or the period is none. */
function selectionIn(given: URLSearchParams, now: Date): Selection | undefined {
  const text = (name: string): string => (given.get(name) ?? '').trim();
  const id = (name: string): number | null | undefined => {
    if (text(name) === '') return null;
    return /^[1-9]\d{0,14}$/.test(text(name)) ? Number(text(name)) : undefined;
  };
  const [botId, orderId] = [id('bot'), id('order')];
  const [from, until] = [timeIn(text('from'), new Date(0)), timeIn(text('until'), now)];
  if (botId === undefined || orderId === undefined || (botId === null && orderId === null)) return undefined;
  return from === undefined || until === undefined || from >= until ? undefined : { botId, orderId, from, until };
}

function choice(visit: Visit, given: URLSearchParams, error: string | undefined): Html {
  const words = visit.texts.operator.reversals;
  const typed = (name: string): string => given.get(name) ?? '';
  const time = (name: string): string => (TIME.test(typed(name)) ? typed(name) : '');
  const fields = html`${textField({ name: 'bot', label: words.bot, value: typed('bot'), inputMode: 'numeric', width: 'short', error })}${textField({ name: 'order', label: words.order, value: typed('order'), inputMode: 'numeric', width: 'short' })}${textField({ name: 'from', label: words.from, type: 'datetime-local', value: time('from') })}${textField({ name: 'until', label: words.until, type: 'datetime-local', value: time('until') })}`;
  return panel(
    words.choose,
    html`<form method="get" action="${REVERSALS}" class="form">${fields}<div class="form-end"><button type="submit" class="primary">${words.look}</button></div></form>`,
    { note: words.chooseNote, id: 'choose' },
  );
}

function preview(visit: Visit, selection: Selection, summary: SelectionSummary, wrongReason: string | undefined): Html {
  const words = visit.texts.operator.reversals;
  const { rubles, count } = visit.formats;
  if (summary.count === 0) return html`<section class="panel"><p>${words.nothing}</p></section>`;
  const figures = tiles(
    tile(words.count, count(summary.count), words.publishers(count(summary.publishers))),
    tile(words.reward, rubles(summary.rewardKopecks)),
    tile(words.settled, rubles(summary.settledKopecks), words.settledNote),
    tile(words.returned, rubles(summary.returnedKopecks)),
  );
  const reason = textField({
    name: 'reason',
    label: words.reason,
    hint: words.reasonHint,
    maxLength: MAX_WORDS,
    isRequired: true,
    error: wrongReason,
  });
  const chosen = html`${hidden('bot', selection.botId === null ? '' : String(selection.botId))}${hidden('order', selection.orderId === null ? '' : String(selection.orderId))}${hidden('from', String(selection.from.getTime()))}${hidden('until', String(selection.until.getTime()))}`;
  const question = form(visit, {
    action: REVERSALS,
    fields: html`${chosen}${reason}`,
    submit: words.submit(count(Math.min(summary.count, MOST_REVERSED))),
    look: 'danger',
    isOnceOnly: true,
  });
  return panel(words.preview, html`${figures}${question}`, {
    ...(summary.count > MOST_REVERSED && { note: words.most(count(MOST_REVERSED)) }),
    id: 'preview',
  });
}
