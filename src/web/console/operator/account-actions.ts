import { ApiError } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import {
  banAccount,
  creditAccount,
  freezeAccount,
  unbanAccount,
  unfreezeAccount,
} from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm.ts';
import { hidden } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, idIn, type Page, type Redirect, refused, type Visit } from '../visit.ts';
import { accountCrumb, accountIn, accountNotFound, accountPath, showAccount, toAccounts } from './account-page.ts';
import { askSure } from './ask-sure.ts';
import { askWords } from './ask-words.ts';
import { readWish, rublesOf, type Wish } from './money-wish.ts';
import { ACCOUNTS, by, FOR_OPERATORS } from './operator-path.ts';

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
      return done(back(visit), words.unbanned);
    },
    { ...FOR_OPERATORS, back },
  );

  const about = async (visit: Visit) => accountCrumb(visit, (await accountIn(deps.db, visit)).id);
  askWords(router, {
    path: `${ACCOUNTS}/:id/freeze`,
    section: ACCOUNTS,
    look: 'danger',
    words: ({ texts }) => texts.operator.freeze.askAccount,
    list: toAccounts,
    about,
    async carryOut(visit, reason) {
      const words = visit.texts.operator.freeze;
      const outcome = await freezeAccount(deps, { ...by(visit), accountId: idIn(visit), reason });
      if (outcome.kind === 'not_found') throw accountNotFound();
      return outcome.kind === 'done' ? done(back(visit), words.done) : refused(back(visit), words.unchanged);
    },
  });
  askSure(router, {
    path: `${ACCOUNTS}/:id/unfreeze`,
    section: ACCOUNTS,
    words: ({ texts }) => texts.operator.freeze.liftAccount,
    list: toAccounts,
    about,
    async carryOut(visit) {
      const words = visit.texts.operator.freeze;
      const outcome = await unfreezeAccount(deps, { ...by(visit), accountId: idIn(visit) });
      if (outcome.kind === 'not_found') throw accountNotFound();
      return outcome.kind === 'done' ? done(back(visit), words.lifted) : refused(back(visit), words.unchanged);
    },
  });
}
