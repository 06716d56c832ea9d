import { ApiError } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import {
  addChecker,
  type CheckerDescription,
  describeCheckers,
  dropChecker,
} from '../../../modules/operators/index.ts';
import type { CheckerInspection, ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { panel, stepLink, type Tone } from '../parts/elements.ts';
import { form, textField } from '../parts/form.ts';
import { buildTable, pageOf } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, readId, refused, type Visit } from '../visit.ts';
import { byOperator, CHECKERS } from './operator-path.ts';

const TONES: Readonly<Record<CheckerDescription['state'], Tone>> = {
  works: 'good',
  conflict: 'warn',
  revoked: 'bad',
  removed: 'plain',
};

/** The checker bots: their state and load, how to add one and how to remove one. */
export function checkerPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  async function show(visit: Visit, error?: string): Promise<Page> {
    const words = visit.texts.operator.checkers;
    const { states } = visit.shared.operator.checkers;
    const table = buildTable(visit, {
      name: 'checkers',
      title: words.title,
      note: words.note,
      empty: words.empty,
      rows: pageOf(visit, 'checkers', await describeCheckers(deps.db)).rows,
      columns: ({ text, time, count, badge }) => [
        text(words.bot, ({ username }) => `@${username}`),
        badge(words.state, ({ state }) => [TONES[state], states[state]]),
        count(words.channels, ({ channels }) => channels),
        count(words.checks, ({ checks }) => checks),
        time(words.added, ({ addedAt }) => addedAt),
      ],
      actions: ({ botId, state }) =>
        state === 'removed' ? html`` : stepLink(`${CHECKERS}/${botId}/remove`, words.remove, 'danger'),
    });
    // A token is a password: it is never sent back to the browser.
    const token = textField({
      name: 'token',
      label: words.token,
      hint: words.tokenHint,
      type: 'password',
      maxLength: 200,
      isRequired: true,
      error,
    });
    const add = panel(words.add, form(visit, { action: CHECKERS, fields: token, submit: words.submit }), {
      note: words.addNote,
    });
    return {
      title: visit.texts.operator.menu.checkers,
      body: html`${table.html}${add}`,
      tables: [table],
      status: error === undefined ? 200 : 422,
    };
  }

  router.page(CHECKERS, (visit) => show(visit));
  router.action(
    CHECKERS,
    async (visit, sent) => {
      const found = await deps.telegram.inspectChecker(sent.get('token') ?? '');
      if (found.kind !== 'usable') return show(visit, refusalOf(visit, found));
      await addChecker(deps, { ...byOperator(visit), checker: found.checker });
      return done(CHECKERS, visit.shared.operator.checkers.added(found.checker.username));
    },
    { back: () => CHECKERS },
  );

  const find = async (visit: Visit): Promise<CheckerDescription> => {
    const botId = readId(visit);
    const checker = (await describeCheckers(deps.db)).find((each) => each.botId === botId);
    if (checker === undefined) throw new ApiError('bot_not_found', 'There is no such checker bot.');
    return checker;
  };
  confirmedAction(router, `${CHECKERS}/:id/remove`, {
    async ask(visit) {
      const words = visit.texts.operator.checkers;
      const { username, channels } = await find(visit);
      return {
        title: words.askRemove.title(`@${username}`),
        text: words.askRemove.text(visit.formats.count(channels)),
        submit: words.remove,
        crumbs: [{ label: visit.texts.operator.menu.checkers, href: CHECKERS }],
      };
    },
    async act(visit) {
      const { removed } = visit.shared.operator.checkers;
      const { botId } = await find(visit);
      const isRemoved = await dropChecker(deps, { ...byOperator(visit), botId });
      return isRemoved ? done(CHECKERS, removed) : refused(CHECKERS, visit.shared.operator.unchanged);
    },
    back: () => CHECKERS,
  });
}

function refusalOf({ shared }: Visit, refusal: Exclude<CheckerInspection, { kind: 'usable' }>): string {
  const words = shared.operator.checkers.refused;
  switch (refusal.kind) {
    case 'not_a_token':
      return shared.orders.inputs.notAToken;
    case 'token_refused':
      return shared.orders.inputs.tokenRefused;
    case 'unavailable':
      return shared.refusals.telegram_unavailable ?? '';
    case 'management_bot':
      return words.managementBot(refusal.username);
    case 'customer_bot':
      return words.customerBot(refusal.username);
    case 'used_elsewhere':
      return refusal.host === undefined
        ? words.polledElsewhere(refusal.username)
        : words.webhookElsewhere(refusal.username, refusal.host);
  }
}
