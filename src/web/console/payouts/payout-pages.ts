import { type Html, html } from '../../../core/html.ts';
import { readRubles } from '../../../core/locale.ts';
import { readFunds } from '../../../modules/accounts/index.ts';
import { hold, readBalances } from '../../../modules/ledger/index.ts';
import {
  listPayouts,
  PAYOUT_METHODS,
  type Payout,
  type PayoutMethod,
  type PayoutStatus,
  payoutMethods,
  type RequestOutcome,
  requestPayout,
} from '../../../modules/payouts/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Tone, tile, tiles, warning } from '../parts/elements.ts';
import { form, selectField, textField } from '../parts/form.ts';
import { buildTable, type NextPage, pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, done, type Page, type Visit } from '../visit.ts';

const PAYOUTS = '/console/payouts';

interface Draft {
  readonly amount: string;
  readonly method: string;
  readonly destination: string;
  readonly error?: string;
}

/** The owner's payouts, and the form that requests one. */
export function payoutPages(router: ConsoleRouter, { db, payouts, operatorIds }: ConsoleDeps): void {
  async function show(visit: Visit, draft: Draft): Promise<Page> {
    const { accountId } = visit.owner;
    const { withdrawableKopecks, availableKopecks } = await readFunds(db, accountId);
    const balanceOf = await readBalances(db, [hold(accountId)]);
    const after = readPosition(visit.query.get('before'));
    const found = await listPayouts(db, { accountId, limit: rowLimit(visit, 'payouts'), after });
    const { rows, last } = pageOf(visit, 'payouts', found);
    const table = payoutsTable(visit, rows, last && { before: `${last.createdAt.getTime()}.${last.id}` });
    const words = visit.texts.payouts;
    const { rubles } = visit.formats;
    return {
      title: visit.texts.menu.payouts,
      body: html`${operatorIds.size === 0 && warning(words.noOperators)}${tiles(
        tile(words.withdrawable, rubles(withdrawableKopecks), words.withdrawableNote),
        tile(words.available, rubles(availableKopecks), words.availableNote),
        tile(words.hold, rubles(balanceOf(hold(accountId))), words.holdNote),
        tile(words.minimum, rubles(payouts.minimumKopecks), words.minimumNote),
      )}${requestPanel(visit, payoutMethods(payouts), draft)}${table.html}`,
      tables: [table],
    };
  }

  router.page(PAYOUTS, (visit) => show(visit, { amount: '', method: 'manual', destination: '' }));

  router.action(
    PAYOUTS,
    async (visit, sent) => {
      const { owner, shared } = visit;
      const text = (name: string): string => sent.get(name)?.trim() ?? '';
      const draft = { amount: text('amount'), method: text('method'), destination: text('destination') };
      const showAgain = async (error: string): Promise<Page> => ({
        ...(await show(visit, { ...draft, error })),
        status: 422,
      });
      const amountKopecks = readRubles(draft.amount);
      const method = PAYOUT_METHODS.find((one) => one === draft.method);
      if (amountKopecks === undefined) return showAgain(shared.inputs.wrongAmount);
      if (method === undefined) return showAgain(shared.payouts.methodUnavailable);
      const outcome = await requestPayout(payouts, {
        accountId: owner.accountId,
        key: `console:${text('key')}`,
        amountKopecks,
        method,
        // Crypto Pay pays to a Telegram account, which can only be the owner's own.
        destination: method === 'crypto-pay' ? String(owner.telegramUserId) : draft.destination,
      });
      if (outcome.kind !== 'requested') return showAgain(describeRefusal(visit, outcome));
      return done(PAYOUTS, visit.texts.payouts.requested(visit.formats.rubles(outcome.payout.amountKopecks)));
    },
    { back: () => PAYOUTS },
  );
}

function describeRefusal(
  { texts, shared, formats }: Visit,
  outcome: Exclude<RequestOutcome, { kind: 'requested' }>,
): string {
  switch (outcome.kind) {
    case 'below_minimum':
      return shared.payouts.belowMinimum(formats.rubles(outcome.minimumKopecks));
    case 'insufficient_funds':
      return shared.payouts.aboveWithdrawable(formats.rubles(outcome.withdrawableKopecks));
    case 'method_unavailable':
      return shared.payouts.methodUnavailable;
    case 'invalid_destination':
      return texts.payouts.wrongDestination;
    case 'withdrawals_frozen':
      return shared.payouts.frozen;
    case 'account_banned':
      return texts.payouts.banned;
  }
}

/** Reads `<time>.<id>`, the position at which a page of the list ended. */
function readPosition(text: string | null): { createdAt: Date; id: number } | undefined {
  const [, time, id] = /^(\d{1,15})\.([1-9]\d{0,14})$/.exec(text ?? '') ?? [];
  return time === undefined || id === undefined ? undefined : { createdAt: new Date(Number(time)), id: Number(id) };
}

function requestPanel(visit: Visit, methods: readonly PayoutMethod[], draft: Draft): Html {
  const words = visit.texts.payouts;
  const fields = html`${textField({
    name: 'amount',
    label: words.amount,
    hint: words.amountHint,
    value: draft.amount,
    inputMode: 'decimal',
    isRequired: true,
    width: 'short',
    error: draft.error,
  })}${selectField({
    name: 'method',
    label: words.method,
    value: draft.method,
    choices: methods.map((method) => ({ value: method, label: visit.shared.payouts.methods[method] })),
  })}${textField({
    name: 'destination',
    label: words.destination,
    hint: methods.includes('crypto-pay') ? words.destinationHintCrypto : words.destinationHint,
    value: draft.destination,
    maxLength: 256,
  })}`;
  return html`<section class="panel"><h2>${words.requestTitle}</h2><p class="note">${words.requestNote}</p>${form(visit, { action: PAYOUTS, fields, submit: words.request, isIdempotent: true })}</section>`;
}

const TONES: Readonly<Record<PayoutStatus, Tone>> = {
  requested: 'accent',
  approved: 'accent',
  sending: 'accent',
  sent: 'good',
  rejected: 'bad',
  failed: 'bad',
};

function payoutsTable(visit: Visit, rows: readonly Payout[], next: NextPage | undefined): BuiltTable {
  const { payouts: words, common } = visit.texts;
  const { statuses, methods } = visit.shared.payouts;
  return buildTable(visit, {
    name: 'payouts',
    title: words.listTitle,
    rows,
    next,
    empty: words.empty,
    columns: ({ id, time, rubles, text, badge }) => [
      { ...id(common.number, (payout) => payout.id), isFigure: false },
      time(common.time, ({ createdAt }) => createdAt),
      rubles(common.amount, ({ amountKopecks }) => amountKopecks),
      text(words.method, ({ method }) => methods[method]),
      text(words.destination, ({ destination }) => destination),
      badge(common.status, ({ status }) => [TONES[status], statuses[status]]),
      time(words.closed, ({ closedAt }) => closedAt),
      text(words.proof, ({ reference, reason }) => reference ?? reason ?? ''),
    ],
  });
}
