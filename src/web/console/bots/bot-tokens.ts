import { html } from '../../../core/html.ts';
import { type Bot, renewToken, revokeToken, type TokenDescription } from '../../../modules/bots/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { stepLink, type Tone } from '../parts/elements.ts';
import { selectField } from '../parts/form.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, done, readId, refused, shownOnce, type Visit } from '../visit.ts';
import { BOTS, botCrumbs, pathOf, requireBot } from './bot-path.ts';

/** The hours for which the previous tokens stay valid. */
const GRACE = ['24', '0', '1', '168'] as const;

/** Replaces the tokens of a bot with a new one, and ends single tokens. */
export function botTokens(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  const back = (visit: Visit): string => pathOf({ id: readId(visit) });

  confirmedAction(router, `${BOTS}/:id/new-token`, {
    back,
    async ask(visit) {
      const words = visit.texts.tokens;
      return {
        title: words.renewTitle,
        crumbs: botCrumbs(visit, await requireBot(db, visit)),
        text: words.renewText,
        fields: selectField({
          name: 'grace',
          label: words.graceLabel,
          hint: words.graceHint,
          value: GRACE[0],
          choices: GRACE.map((hours) => ({ value: hours, label: words.grace[hours] })),
        }),
        submit: words.renew,
        style: 'primary',
        isIdempotent: true,
      };
    },
    async act(visit, sent) {
      const words = visit.texts.tokens;
      const hours = GRACE.find((one) => one === sent.get('grace')) ?? GRACE[0];
      const botId = readId(visit);
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
  });

  confirmedAction(router, `${BOTS}/:id/tokens/:token/end`, {
    back,
    async ask(visit) {
      const { endTitle: title, endText: text, end: submit } = visit.texts.tokens;
      return { title, text, submit, crumbs: botCrumbs(visit, await requireBot(db, visit)) };
    },
    async act(visit) {
      const bot = await requireBot(db, visit);
      const token = { botId: bot.id, tokenId: readId(visit, 'token'), at: clock.now() };
      const isEnded = await db.transaction((tx) => revokeToken(tx, token));
      const words = visit.texts.tokens;
      return isEnded ? done(pathOf(bot), words.ended) : refused(pathOf(bot), words.endedBefore);
    },
  });
}

/** Describes the tokens by their fingerprints; the tokens themselves are not stored. */
export function tokenTable(visit: Visit, bot: Bot, found: readonly TokenDescription[], now: Date): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.tokens;
  const isValid = ({ validUntil }: TokenDescription): boolean => validUntil === undefined || validUntil > now;
  const stateOf = (token: TokenDescription): readonly [Tone, string] => {
    if (token.validUntil === undefined) return ['good', words.valid];
    const end = formats.moment(token.validUntil);
    return isValid(token) ? ['warn', words.validUntil(end)] : ['plain', words.endedAt(end)];
  };
  return buildTable(visit, {
    name: 'tokens',
    title: words.title,
    note: words.note,
    lead: html`<p>${stepLink(`${pathOf(bot)}/new-token`, found.some(isValid) ? words.renew : words.create)}</p>`,
    rows: found,
    empty: words.none,
    columns: ({ text, time, badge }) => [
      {
        title: words.fingerprint,
        cell: ({ fingerprint }) => html`<code>${fingerprint}…</code>`,
        value: ({ fingerprint }) => fingerprint,
      },
      time(words.created, ({ createdAt }) => createdAt),
      text(words.may, ({ scopes }) => (scopes.includes('beta') ? words.tasksAndBeta : words.tasks)),
      badge(texts.common.status, stateOf),
    ],
    actions: (token) =>
      isValid(token)
        ? html`<a class="quiet-button" href="${`${pathOf(bot)}/tokens/${token.id}/end`}" aria-label="${`${words.end}: ${token.fingerprint}`}">${words.end}…</a>`
        : undefined,
  });
}
