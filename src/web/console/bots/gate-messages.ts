import { type Html, html } from '../../../core/html.ts';
import { type Bot, botTokenIn } from '../../../modules/bots/index.ts';
import { forgetTelegramToken, giveTelegramToken, type MessageSettings } from '../../../modules/compat/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { panel, stepLink, warning } from '../parts/elements.ts';
import { form, textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, readId, refused, type Visit } from '../visit.ts';
import { BOTS, botCrumbs, pathOf, requireBot } from './bot-path.ts';

const MAX_TOKEN = 1_000;

/** The Telegram token with which the service sends gate messages through the publisher's bot (/compat). */
export function gateMessages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;
  const back = (visit: Visit): string => pathOf({ id: readId(visit) });

  const giveToken = async (visit: Visit, sent: URLSearchParams) => {
    const bot = await requireBot(db, visit);
    const { shared } = visit;
    const token = botTokenIn(sent.get('token') ?? '');
    if (token === undefined) return refused(pathOf(bot), shared.orders.inputs.notAToken);
    const outcome = await giveTelegramToken(deps, bot, token);
    switch (outcome.kind) {
      case 'refused':
        return refused(pathOf(bot), shared.orders.inputs.tokenRefused);
      case 'unavailable':
        return refused(pathOf(bot), shared.refusals.telegram_unavailable ?? '');
      case 'other_bot':
        return refused(pathOf(bot), shared.gateMessages.otherBot(outcome.username));
      case 'saved':
        return done(pathOf(bot), visit.texts.gateMessages.saved);
    }
  };
  router.action(`${BOTS}/:id/telegram-token`, giveToken, { back });

  confirmedAction(router, `${BOTS}/:id/telegram-token/delete`, {
    back,
    async ask(visit) {
      const words = visit.texts.gateMessages;
      return {
        title: words.removeTitle,
        crumbs: botCrumbs(visit, await requireBot(db, visit)),
        text: words.removeText,
        submit: words.remove,
      };
    },
    async act(visit) {
      const bot = await requireBot(db, visit);
      await forgetTelegramToken(db, bot.id);
      return done(pathOf(bot), visit.texts.gateMessages.removed);
    },
  });
}

export function gateMessagesPanel(visit: Visit, bot: Bot, { hasToken, failure }: MessageSettings): Html {
  const words = visit.texts.gateMessages;
  const fields = textField({
    name: 'token',
    label: hasToken ? words.newToken : words.token,
    hint: words.tokenHint,
    type: 'password',
    maxLength: MAX_TOKEN,
    isRequired: true,
  });
  const failed =
    failure &&
    warning(words.failed(visit.formats.moment(failure.failedAt), visit.shared.gateMessages.failures[failure.reason]));
  const give = form(visit, {
    action: `${pathOf(bot)}/telegram-token`,
    fields,
    submit: hasToken ? words.replace : words.give,
    style: 'plain',
    ...(hasToken && { extra: stepLink(`${pathOf(bot)}/telegram-token/delete`, words.remove, 'danger') }),
  });
  const body = html`<p>${hasToken ? words.isOn : words.isOff}</p>${failed}${give}`;
  return panel(words.title, body, { note: words.note, id: 'gate-messages' });
}
