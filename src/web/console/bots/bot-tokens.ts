import { html } from '../../../core/html.ts';
import { type Bot, renewToken, revokeToken, type TokenDescription } from '../../../modules/bots/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm.ts';
import { selectField } from '../parts/form.ts';
import { badge, NOTHING } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, done, idIn, refused, shownOnce, type Visit } from '../visit.ts';
import { BOTS, botCrumbs, botIn, pathOf } from './bot-path.ts';

/** Hours for which the tokens before go on working. */
const GRACE = ['24', '0', '1', '168'] as const;

/** A new token in place of the old ones, and the end of a single one. */
export function botTokens(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  const back = (visit: Visit): string => pathOf({ id: idIn(visit) });

  router.page(`${BOTS}/:id/new-token`, async (visit) => {
    const bot = await botIn({ db }, visit);
    const words = visit.texts.tokens;
    return confirmPage(visit, {
      title: words.renewTitle,
      section: BOTS,
      crumbs: botCrumbs(visit, bot),
      text: words.renewText,
      action: `${pathOf(bot)}/new-token`,
      fields: selectField({
        name: 'grace',
        label: words.graceLabel,
        hint: words.graceHint,
        value: GRACE[0],
        choices: GRACE.map((hours) => ({ value: hours, label: words.grace[hours] })),
      }),
      submit: words.renew,
      back: pathOf(bot),
      look: 'primary',
      isOnceOnly: true,
    });
  });

  router.action(
    `${BOTS}/:id/new-token`,
    async (visit, sent) => {
      const words = visit.texts.tokens;
      const hours = GRACE.find((one) => one === sent.get('grace')) ?? GRACE[0];
      const botId = idIn(visit);
      const outcome = await renewToken(db, {
        accountId: visit.owner.accountId,
        botId,
        graceSeconds: Number(hours) * 60 * 60,
        key: `console:token:${sent.get('key') ?? ''}`,
        at: clock.now(),
      });
      if (outcome.kind === 'issued_before') return refused(back(visit), words.issuedBefore);
      return shownOnce(back(visit), words.issued, { label: words.token, value: outcome.token });
    },
    { back },
  );

  router.page(`${BOTS}/:id/tokens/:token/end`, async (visit) => {
    const bot = await botIn({ db }, visit);
    const words = visit.texts.tokens;
    return confirmPage(visit, {
      title: words.endTitle,
      section: BOTS,
      crumbs: botCrumbs(visit, bot),
      text: words.endText,
      action: `${pathOf(bot)}/tokens/${idIn(visit, 'token')}/end`,
      submit: words.end,
      back: pathOf(bot),
    });
  });

  router.action(
    `${BOTS}/:id/tokens/:token/end`,
    async (visit) => {
      const bot = await botIn({ db }, visit);
      const token = { botId: bot.id, tokenId: idIn(visit, 'token'), at: clock.now() };
      const isEnded = await db.transaction((tx) => revokeToken(tx, token));
      const words = visit.texts.tokens;
      return isEnded ? done(pathOf(bot), words.ended) : refused(pathOf(bot), words.endedBefore);
    },
    { back },
  );
}

/** What is known of the tokens: never the tokens themselves. */
export function tokenTable(visit: Visit, bot: Bot, found: readonly TokenDescription[], now: Date): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.tokens;
  const isValid = ({ validUntil }: TokenDescription): boolean => validUntil === undefined || validUntil > now;
  const stateOf = (token: TokenDescription): string =>
    token.validUntil === undefined
      ? words.valid
      : isValid(token)
        ? words.validUntil(formats.moment(token.validUntil))
        : words.endedAt(formats.moment(token.validUntil));
  return buildTable(visit, {
    name: 'tokens',
    title: words.title,
    note: words.note,
    lead: html`<p><a class="button" href="${`${pathOf(bot)}/new-token`}">${found.some(isValid) ? words.renew : words.create}…</a></p>`,
    columns: [
      {
        title: words.fingerprint,
        cell: ({ fingerprint }) => html`<code>${fingerprint}…</code>`,
        value: ({ fingerprint }) => fingerprint,
      },
      { title: words.created, cell: (token) => formats.moment(token.createdAt), value: (token) => token.createdAt },
      { title: words.may, cell: ({ scopes }) => (scopes.includes('beta') ? words.tasksAndBeta : words.tasks) },
      {
        title: texts.common.status,
        cell: (token) =>
          badge(token.validUntil === undefined ? 'good' : isValid(token) ? 'warn' : 'plain', stateOf(token)),
        value: stateOf,
      },
    ],
    rows: found,
    empty: words.none,
    actions: (token) =>
      isValid(token)
        ? html`<a class="quiet-button" href="${`${pathOf(bot)}/tokens/${token.id}/end`}" aria-label="${`${words.end}: ${token.fingerprint}`}">${words.end}…</a>`
        : NOTHING,
  });
}
