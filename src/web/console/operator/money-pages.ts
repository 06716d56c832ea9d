import { ApiError } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import { creditAccount, debitAccount } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm-action.ts';
import { plainRubles } from '../parts/csv.ts';
import { hiddenFields } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, type Redirect, readId, refused, type Visit } from '../visit.ts';
import { requireAccount, showAccount } from './account-page.ts';
import { accountCrumbs, accountNotFound, accountPath } from './account-path.ts';
import { type MoneyDraft, type MoneyMove, type MoneyRequest, moneyForm, readMoneyForm } from './money-form.ts';
import { ACCOUNTS, byOperator } from './operator-path.ts';

/** Credits and debits an account: a form with amount and note, then a confirmation, then the transfer. */
export function moneyPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const back = (visit: Visit): string => accountPath(readId(visit));

  async function showDebitForm(visit: Visit, draft?: MoneyDraft): Promise<Page> {
    const { id } = await requireAccount(deps.db, visit);
    const { title, text } = visit.texts.operator.debit;
    return {
      title,
      crumbs: accountCrumbs(visit, id),
      body: html`<section class="panel"><p>${text}</p>${moneyForm(visit, 'debit', id, draft)}</section>`,
    };
  }

  // The credit form is part of the account's page. A reload after an error gets that page.
  const showForm = {
    credit: (visit: Visit, draft?: MoneyDraft) => showAccount(deps, visit, draft),
    debit: showDebitForm,
  };

  async function confirm(visit: Visit, move: MoneyMove, request: MoneyRequest): Promise<Page> {
    const { id, name } = await requireAccount(deps.db, visit);
    const { amountKopecks, note, key } = request;
    const words = visit.texts.operator[move];
    return confirmPage(visit, {
      title: words.confirmTitle(visit.formats.rubles(amountKopecks)),
      crumbs: accountCrumbs(visit, id),
      text: words.confirmText({ id, name, note }),
      fields: hiddenFields({ amount: plainRubles(amountKopecks), note, key, confirmed: 'yes' }),
      submit: words.submit,
      style: move === 'credit' ? 'primary' : 'danger',
    });
  }

  async function moveMoney(
    visit: Visit,
    move: MoneyMove,
    { amountKopecks, note, key }: MoneyRequest,
  ): Promise<Redirect> {
    const transfer = { ...byOperator(visit), accountId: readId(visit), amountKopecks, key: `console:${key}` };
    const outcome =
      move === 'credit'
        ? await creditAccount(deps, { ...transfer, note })
        : await debitAccount(deps, { ...transfer, reason: note });
    const words = visit.shared.operator.accounts;
    switch (outcome.kind) {
      case 'credited':
      case 'debited':
        return done(back(visit), words[outcome.kind](visit.formats.rubles(amountKopecks)));
      case 'already_credited':
        return done(back(visit), words.alreadyCredited);
      case 'already_debited':
        return done(back(visit), words.alreadyDebited);
      case 'account_not_found':
        throw accountNotFound();
      case 'key_taken':
      case 'request_closed':
        throw new ApiError('idempotency_mismatch', 'This form was sent with other data already.');
      case 'invalid_amount':
        return refused(back(visit), visit.shared.inputs.wrongAmount);
    }
  }

  for (const move of ['credit', 'debit'] as const) {
    const path = `${ACCOUNTS}/:id/${move}`;
    router.page(path, (visit) => showForm[move](visit));
    router.action(
      path,
      async (visit, sent) => {
        const request = readMoneyForm(visit, sent);
        if (!('key' in request)) return { ...(await showForm[move](visit, request)), status: 422 };
        return sent.get('confirmed') === 'yes' ? moveMoney(visit, move, request) : confirm(visit, move, request);
      },
      { back },
    );
  }
}
