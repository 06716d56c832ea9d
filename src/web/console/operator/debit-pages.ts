import { ApiError } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import { debitAccount } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm.ts';
import { form, hidden } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, idIn, type Page, type Redirect, refused, type Visit } from '../visit.ts';
import { accountCrumb, accountIn, accountNotFound, accountPath, toAccounts } from './account-page.ts';
import { type CreditDraft, moneyFields } from './credit-form.ts';
import { readWish, rublesOf, type Wish } from './money-wish.ts';
import { ACCOUNTS, by, FOR_OPERATORS } from './operator-path.ts';

/** Takes money from an account: how much and why, then once more whether. The key goes through to the end. */
export function debitPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const path = `${ACCOUNTS}/:id/debit`;
  const back = (visit: Visit): string => accountPath(idIn(visit));

  async function show(visit: Visit, draft?: CreditDraft): Promise<Page> {
    const { id } = await accountIn(deps.db, visit);
    const words = visit.texts.operator.debit;
    const fields = moneyFields(visit, { label: words.reason, hint: words.reasonHint }, draft);
    return {
      title: words.title,
      section: ACCOUNTS,
      crumbs: [toAccounts(visit), accountCrumb(visit, id)],
      body: html`<section class="panel"><p>${words.text}</p>${form(visit, { action: visit.path, fields, submit: `${words.check}…`, isOnceOnly: true })}</section>`,
    };
  }

  async function askOnce(visit: Visit, { amountKopecks, note, key }: Wish): Promise<Page> {
    const { id, name } = await accountIn(deps.db, visit);
    const words = visit.texts.operator.debit;
    return confirmPage(visit, {
      title: words.sureTitle(visit.formats.rubles(amountKopecks)),
      section: ACCOUNTS,
      crumbs: [toAccounts(visit), accountCrumb(visit, id)],
      text: words.sureText({ id, name, note }),
      action: visit.path,
      fields: html`${hidden('amount', rublesOf(amountKopecks))}${hidden('note', note)}${hidden('key', key)}${hidden('sure', 'yes')}`,
      submit: words.submit,
      back: accountPath(id),
    });
  }

  async function debit(visit: Visit, { amountKopecks, note, key }: Wish): Promise<Redirect> {
    const words = visit.texts.operator.debit;
    const outcome = await debitAccount(deps, {
      ...by(visit),
      accountId: idIn(visit),
      amountKopecks,
      reason: note,
      key: `console:${key}`,
    });
    switch (outcome.kind) {
      case 'debited':
        return done(back(visit), words.done(visit.formats.rubles(amountKopecks)));
      case 'already_debited':
        return done(back(visit), words.already);
      case 'account_not_found':
        throw accountNotFound();
      case 'key_taken':
        throw new ApiError('idempotency_mismatch', 'This form was sent with other data already.');
      case 'invalid_amount':
        return refused(back(visit), visit.texts.payouts.wrongAmount);
    }
  }

  router.page(path, (visit) => show(visit), FOR_OPERATORS);
  router.action(
    path,
    async (visit, sent) => {
      const wish = readWish(visit, sent);
      if ('wrongAmount' in wish) return { ...(await show(visit, wish)), status: 422 };
      return sent.get('sure') === 'yes' ? debit(visit, wish) : askOnce(visit, wish);
    },
    { ...FOR_OPERATORS, back },
  );
}
