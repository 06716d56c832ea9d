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
import { form, selectField, textField } from '../parts/form.ts';
import { badge, type Tone, tile, tiles } from '../parts/pieces.ts';
import { buildTable, rowsShown, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, done, type Page, type Visit } from '../visit.ts';

const PAYOUTS = '/console/payouts';

interface Draft {
  readonly amount: string;
  readonly method: string;
  readonly destination: string;
  readonly error?: string;
}

/** Money out: what was asked for, and a form that asks for more. */
export function payoutPages(router: ConsoleRouter, { db, payouts }: ConsoleDeps): void {
  async function show(visit: Visit, draft: Draft): Promise<Page> {
    const { accountId } = visit.owner;
    const funds = await readFunds(db, accountId);
    const balanceOf = await readBalances(db, [hold(accountId)]);
    const after = positionIn(visit.query.get('before'));
    const found = await listPayouts(db, { accountId, limit: rowsWanted(visit, 'payouts'), after });
    const shown = rowsShown(visit, 'payouts', found);
    const last = shown.at(-1);
    const next =
      found.length > shown.length && last !== undefined ? `before=${last.createdAt.getTime()}.${last.id}` : undefined;
    const table = payoutsTable(visit, shown, next);
    const { texts, formats } = visit;
    const words = texts.payouts;
    return {
      title: texts.menu.payouts,
      section: PAYOUTS,
      body: html`${tiles(
        tile(words.withdrawable, formats.rubles(funds.withdrawableKopecks), words.withdrawableNote),
        tile(words.available, formats.rubles(funds.availableKopecks), words.availableNote),
        tile(words.hold, formats.rubles(balanceOf(hold(accountId))), words.holdNote),
        tile(words.minimum, formats.rubles(payouts.minimumKopecks), words.minimumNote),
      )}${requestPanel(visit, payoutMethods(payouts), draft)}${table.html}`,
      tables: [table],
    };
  }

  router.page(PAYOUTS, (visit) => show(visit, { amount: '', method: 'manual', destination: '' }));

  router.action(
    PAYOUTS,
    async (visit, sent) => {
      const { texts, formats, owner } = visit;
      const words = texts.payouts;
      const text = (name: string): string => sent.get(name)?.trim() ?? '';
      const draft = { amount: text('amount'), method: text('method'), destination: text('destination') };
      const again = async (error: string): Promise<Page> => ({
        ...(await show(visit, { ...draft, error })),
        status: 422,
      });
      const amountKopecks = readRubles(draft.amount);
      const method = PAYOUT_METHODS.find((one) => one === draft.method);
      if (amountKopecks === undefined) return again(words.wrongAmount);
      if (method === undefined) return again(words.wrongMethod);
      const outcome = await requestPayout(payouts, {
        accountId: owner.accountId,
        key: `console:${text('key')}`,
        amountKopecks,
        method,
        // Crypto Pay knows people by their Telegram id: it can only be the owner's own.
        destination: method === 'crypto-pay' ? String(owner.telegramUserId) : draft.destination,
      });
      if (outcome.kind !== 'requested') return again(refusalOf(visit, outcome));
      return done(PAYOUTS, words.requested(formats.rubles(outcome.payout.amountKopecks)));
    },
    { back: () => PAYOUTS },
  );
}

function refusalOf({ texts, formats }: Visit, outcome: Exclude<RequestOutcome, { kind: 'requested' }>): string {
  const words = texts.payouts;
  switch (outcome.kind) {
    case 'below_minimum':
      return words.belowMinimum(formats.rubles(outcome.minimumKopecks));
    case 'insufficient_funds':
      return words.tooMuch(formats.rubles(outcome.withdrawableKopecks));
    case 'method_unavailable':
      return words.wrongMethod;
    case 'invalid_destination':
      return words.wrongDestination;
    case 'withdrawals_frozen':
      return words.frozen;
    case 'account_banned':
      return words.banned;
  }
}

/** Where a page of the list ended: it only chooses among the owner's own payouts. */
function positionIn(text: string | null): { createdAt: Date; id: number } | undefined {
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
    choices: methods.map((method) => ({ value: method, label: words.methods[method] })),
  })}${textField({
    name: 'destination',
    label: words.destination,
    hint: methods.includes('crypto-pay') ? words.destinationHintCrypto : words.destinationHint,
    value: draft.destination,
    maxLength: 256,
  })}`;
  return html`<section class="panel"><h2>${words.requestTitle}</h2><p class="note">${words.requestNote}</p>${form(visit, { action: PAYOUTS, fields, submit: words.request, isOnceOnly: true })}</section>`;
}

const TONES: Readonly<Record<PayoutStatus, Tone>> = {
  requested: 'accent',
  approved: 'accent',
  sending: 'accent',
  sent: 'good',
  rejected: 'bad',
  failed: 'bad',
};

function payoutsTable(visit: Visit, rows: readonly Payout[], next: string | undefined): BuiltTable {
  const { texts, formats } = visit;
  const { payouts: words, common } = texts;
  return buildTable(visit, {
    name: 'payouts',
    title: words.listTitle,
    rows,
    next,
    empty: words.empty,
    columns: [
      { title: common.number, cell: ({ id }) => String(id), value: ({ id }) => id },
      { title: common.time, cell: ({ createdAt }) => formats.moment(createdAt), value: ({ createdAt }) => createdAt },
      {
        title: common.amount,
        cell: ({ amountKopecks }) => formats.rubles(amountKopecks),
        value: ({ amountKopecks }) => amountKopecks,
        isFigure: true,
      },
      { title: words.method, cell: ({ method }) => words.methods[method] },
      { title: words.destination, cell: ({ destination }) => destination },
      {
        title: common.status,
        cell: ({ status }) => badge(TONES[status], words.statuses[status]),
        value: ({ status }) => words.statuses[status],
      },
      {
        title: words.closed,
        cell: ({ closedAt }) => (closedAt === null ? '–' : formats.moment(closedAt)),
        value: ({ closedAt }) => closedAt,
      },
      { title: words.proof, cell: ({ reference, reason }) => reference ?? reason ?? '' },
    ],
  });
}
