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
import { panel, tile, tiles } from '../parts/elements.ts';
import { form, hiddenFields, queryForm, textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, refused, type Visit } from '../visit.ts';
import { MAX_REASON, readLine } from './ask-reason.ts';
import { byOperator, REVERSALS } from './operator-path.ts';

const KEY = /^[0-9a-f-]{36}$/;

/** Reverses counted subscriptions, selected by bot, order and time. A preview shows the amounts first. */
export function reversalPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  async function show(visit: Visit, given: URLSearchParams, wrongReason?: string): Promise<Page> {
    const { menu, reversals } = visit.texts.operator;
    const isFilled = given.has('bot') || given.has('order');
    const selection = isFilled ? readSelection(given, visit.now) : undefined;
    const summary = selection && (await summarizeSelection(deps.db, selection));
    const wrongChoice = isFilled && selection === undefined ? reversals.wrongChoice : undefined;
    return {
      title: menu.reversals,
      body: html`${selectionForm(visit, given, wrongChoice)}${selection && summary && preview(visit, selection, summary, wrongReason)}`,
      status: wrongChoice === undefined && wrongReason === undefined ? 200 : 422,
    };
  }

  router.page(REVERSALS, (visit) => show(visit, visit.query));

  router.action(
    REVERSALS,
    async (visit, sent) => {
      const words = visit.shared.operator.reversals;
      const key = sent.get('key') ?? '';
      const selection = readSelection(sent, visit.now);
      if (!KEY.test(key) || selection === undefined) throw new ApiError('validation_failed', 'The form is incomplete.');
      const reason = readLine(sent, 'reason');
      if (reason === undefined) return show(visit, sent, visit.shared.inputs.textLength);
      const request = { ...byOperator(visit), selection, reason, key: `console:${key}` };
      const outcome = await reverseSubscriptions(deps, request);
      const { count, rubles } = visit.formats;
      switch (outcome.kind) {
        case 'reversed':
          return done(REVERSALS, words.done(count(outcome.count), rubles(outcome.rewardKopecks)));
        case 'already_done':
          return done(REVERSALS, words.already);
        case 'nothing':
          return refused(REVERSALS, words.nothing);
      }
    },
    { back: () => REVERSALS },
  );
}

/** Moscow time as a `datetime-local` field sends it. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

function readTime(text: string, fallback: Date): Date | undefined {
  if (text === '') return fallback;
  // The preview sends exact milliseconds, so that the action reverses exactly the subscriptions shown.
  if (/^\d{1,15}$/.test(text)) return new Date(Number(text));
  const time = TIME.test(text) ? new Date(`${text}:00+03:00`) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

/** Returns undefined when the form names neither a bot nor an order, or when a field is invalid. */
function readSelection(given: URLSearchParams, now: Date): Selection | undefined {
  const text = (name: string): string => (given.get(name) ?? '').trim();
  const id = (name: string): number | null | undefined => {
    if (text(name) === '') return null;
    return /^[1-9]\d{0,14}$/.test(text(name)) ? Number(text(name)) : undefined;
  };
  const [botId, orderId] = [id('bot'), id('order')];
  const [from, until] = [readTime(text('from'), new Date(0)), readTime(text('until'), now)];
  if (botId === undefined || orderId === undefined || (botId === null && orderId === null)) return undefined;
  return from === undefined || until === undefined || from >= until ? undefined : { botId, orderId, from, until };
}

function selectionForm(visit: Visit, given: URLSearchParams, error: string | undefined): Html {
  const words = visit.texts.operator.reversals;
  const typed = (name: string): string => given.get(name) ?? '';
  const number = (name: 'bot' | 'order') =>
    ({ name, label: words[name], value: typed(name), inputMode: 'numeric', width: 'short' }) as const;
  const time = (name: 'from' | 'until') =>
    textField({
      name,
      label: words[name],
      type: 'datetime-local',
      value: TIME.test(typed(name)) ? typed(name) : '',
    });
  const fields = html`${textField({ ...number('bot'), error })}${textField(number('order'))}${time('from')}${time('until')}`;
  const body = queryForm({ action: REVERSALS, fields, submit: words.look });
  return panel(words.choose, body, { note: words.chooseNote, id: 'choose' });
}

function preview(visit: Visit, selection: Selection, summary: SelectionSummary, wrongReason: string | undefined): Html {
  const words = visit.texts.operator.reversals;
  const { nothing, most } = visit.shared.operator.reversals;
  const { rubles, count } = visit.formats;
  if (summary.count === 0) return html`<section class="panel"><p>${nothing}</p></section>`;
  const figures = tiles(
    tile(words.count, count(summary.count), words.publishers(count(summary.publishers))),
    tile(words.reward, rubles(summary.rewardKopecks)),
    tile(words.settled, rubles(summary.settledKopecks), words.settledNote),
    tile(words.returned, rubles(summary.returnedKopecks)),
  );
  const chosen = hiddenFields({
    bot: String(selection.botId ?? ''),
    order: String(selection.orderId ?? ''),
    from: String(selection.from.getTime()),
    until: String(selection.until.getTime()),
  });
  const reason = textField({
    name: 'reason',
    label: words.reason,
    hint: words.reasonHint,
    maxLength: MAX_REASON,
    isRequired: true,
    error: wrongReason,
  });
  const confirmation = form(visit, {
    action: REVERSALS,
    fields: html`${chosen}${reason}`,
    submit: words.submit(count(Math.min(summary.count, MOST_REVERSED))),
    style: 'danger',
    isIdempotent: true,
  });
  const note = summary.count > MOST_REVERSED ? most(count(MOST_REVERSED)) : undefined;
  return panel(words.preview, html`${figures}${confirmation}`, { note, id: 'preview' });
}
