import { ApiError } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import { readRubles } from '../../../core/locale.ts';
import { banAccount, creditAccount, unbanAccount } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm.ts';
import { hidden } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, idIn, type Page, type Redirect, refused, type Visit } from '../visit.ts';
import { accountCrumb, accountIn, accountNotFound, accountPath, showAccount, toAccounts } from './account-page.ts';
import { askWords, lineIn } from './ask-words.ts';
import { ACCOUNTS, by, FOR_OPERATORS } from './operator-path.ts';

/** Not a rule of the exchange: an amount outside is a typing error. The same in the management bot. */
const RANGE = { min: 1n, max: 1_000_000_000n };
const KEY = /^[0-9a-f-]{36}$/;

interface Wish {
  readonly amountKopecks: bigint;
  readonly note: string;
  readonly key: string;
}

/** What operators do to an account. */
export function accountActions(router: ConsoleRouter, deps: ConsoleDeps): void {
  const back = (visit: Visit): string => accountPath(idIn(visit));

  router.action(
    `${ACCOUNTS}/:id/credit`,
    async (visit, sent) => {
      const wish = readWish(visit, sent);
      if ('wrongAmount' in wish) return { ...(await showAccount(deps, visit, wish)), status: 422 };
      return sent.get('sure') === 'yes' ? credit(visit, wish) : askOnce(visit, wish);
    },
    { ...FOR_OPERATORS, back },
  );

  async function askOnce(visit: Visit, { amountKopecks, note, key }: Wish): Promise<Page> {
    const { id, name } = await accountIn(deps.db, visit);
    const words = visit.texts.operator.accounts;
    return confirmPage(visit, {
      title: words.sureTitle(visit.formats.rubles(amountKopecks)),
      section: ACCOUNTS,
      crumbs: [toAccounts(visit), accountCrumb(visit, id)],
      text: words.sureText({ id, name, note }),
      action: visit.path,
      fields: html`${hidden('amount', rublesOf(amountKopecks))}${hidden('note', note)}${hidden('key', key)}${hidden('sure', 'yes')}`,
      submit: words.credit,
      back: accountPath(id),
      look: 'primary',
    });
  }

  async function credit(visit: Visit, { amountKopecks, note, key }: Wish): Promise<Redirect> {
    const words = visit.texts.operator.accounts;
    const accountId = idIn(visit);
    const outcome = await creditAccount(deps, {
      ...by(visit),
      accountId,
      amountKopecks,
      note,
      key: `console:${key}`,
    });
    switch (outcome.kind) {
      case 'credited':
        return done(back(visit), words.credited(visit.formats.rubles(amountKopecks)));
      case 'already_credited':
        return done(back(visit), words.alreadyCredited);
      case 'account_not_found':
        throw accountNotFound();
      case 'key_taken':
      case 'request_closed':
        throw new ApiError('idempotency_mismatch', 'This form was sent with other data already.');
      case 'invalid_amount':
        return refused(back(visit), visit.texts.payouts.wrongAmount);
    }
  }

  askWords(router, {
    path: `${ACCOUNTS}/:id/ban`,
    section: ACCOUNTS,
    look: 'danger',
    words: ({ texts }) => texts.operator.accounts.askBan,
    list: toAccounts,
    about: async (visit) => accountCrumb(visit, (await accountIn(deps.db, visit)).id),
    async carryOut(visit, reason) {
      const words = visit.texts.operator.accounts;
      const outcome = await banAccount(deps, { ...by(visit), accountId: idIn(visit), reason });
      switch (outcome.kind) {
        case 'banned':
          for (const botId of outcome.botIds) deps.tokens.forgetBot(botId);
          await deps.book.reload([...outcome.pausedOrderIds]);
          return done(back(visit), words.bannedNow(visit.formats.count(outcome.pausedOrderIds.length)));
        case 'already_banned':
          return refused(back(visit), words.alreadyBanned);
        case 'is_operator':
          return refused(back(visit), words.isOperator);
        case 'not_found':
          throw accountNotFound();
      }
    },
  });

  router.page(
    `${ACCOUNTS}/:id/unban`,
    async (visit) => {
      const { id } = await accountIn(deps.db, visit);
      const words = visit.texts.operator.accounts;
      return confirmPage(visit, {
        title: words.unbanTitle,
        section: ACCOUNTS,
        crumbs: [toAccounts(visit), accountCrumb(visit, id)],
        text: words.unbanText,
        action: visit.path,
        submit: words.unban,
        back: accountPath(id),
        look: 'primary',
      });
    },
    FOR_OPERATORS,
  );

  router.action(
    `${ACCOUNTS}/:id/unban`,
    async (visit) => {
      const { id } = await accountIn(deps.db, visit);
      const words = visit.texts.operator.accounts;
      const outcome = await unbanAccount(deps, { ...by(visit), accountId: id });
      if (outcome.kind === 'not_banned') return refused(back(visit), words.notBanned);
      for (const botId of outcome.botIds) deps.tokens.forgetBot(botId);
      return done(back(visit), words.unbanned);
    },
    { ...FOR_OPERATORS, back },
  );
}

function readWish({ texts, formats }: Visit, sent: URLSearchParams) {
  const key = sent.get('key') ?? '';
  if (!KEY.test(key)) throw new ApiError('validation_failed', 'The form has no key.');
  const typed = { amount: sent.get('amount') ?? '', note: sent.get('note') ?? '' };
  const amountKopecks = readRubles(typed.amount);
  const note = lineIn(sent, 'note');
  const range = texts.operator.accounts.range(formats.rubles(RANGE.min), formats.rubles(RANGE.max));
  const wrongAmount =
    amountKopecks === undefined
      ? texts.payouts.wrongAmount
      : amountKopecks < RANGE.min || amountKopecks > RANGE.max
        ? range
        : undefined;
  const wrongNote = note === undefined ? texts.operator.wrongText : undefined;
  if (amountKopecks === undefined || wrongAmount !== undefined || note === undefined) {
    return { ...typed, wrongAmount, wrongNote };
  }
  return { amountKopecks, note, key } satisfies Wish;
}

/** As `readRubles` reads it again. */
const rublesOf = (kopecks: bigint): string => `${kopecks / 100n}.${String(kopecks % 100n).padStart(2, '0')}`;
