import { type Html, html } from '../../../core/html.ts';
import {
  type AccountDescription,
  banAccount,
  correctCredit,
  describeAccount,
  freezeAccount,
  listActions,
  type OperatorAction,
  unbanAccount,
  unfreezeAccount,
} from '../../../modules/operators/index.ts';
import { listOrdersPage } from '../../../modules/orders/index.ts';
import { listPayouts } from '../../../modules/payouts/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { badge, buttons, facts, panel, stepLink, type Tone, tile, tiles, warning } from '../parts/elements.ts';
import { buildTable, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, type Crumb, done, type Page, readId, refused, type Visit } from '../visit.ts';
import { accountCrumbs, accountNotFound, accountPath } from './account-path.ts';
import { askReason } from './ask-reason.ts';
import { type MoneyDraft, moneyForm } from './money-form.ts';
import { ACCOUNTS, byOperator } from './operator-path.ts';
import { connectedTable, qualityTable } from './risk-panels.ts';
import { ordersTable, payoutsTable } from './tables.ts';

const SHOWN_CREDITS = 10;

export const accountBadge = (
  { texts: { operator } }: Visit,
  { bannedAt }: { bannedAt: Date | null },
): readonly [Tone, string] => (bannedAt === null ? ['good', operator.accounts.works] : ['bad', operator.isBanned]);

export async function requireAccount(db: ConsoleDeps['db'], visit: Visit): Promise<AccountDescription> {
  const account = await describeAccount(db, readId(visit));
  if (account === undefined) throw accountNotFound();
  return account;
}

export function accountPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  router.page(`${ACCOUNTS}/:id`, (visit) => showAccount(deps, visit));
}

/** Returns the page with all facts that an operator needs for a decision about an account. */
export async function showAccount(deps: ConsoleDeps, request: Visit, draft?: MoneyDraft): Promise<Page> {
  const { db } = deps;
  const account = await requireAccount(db, request);
  const accountId = account.id;
  const visit = { ...request, path: accountPath(accountId) };
  const [orders, paid, credits] = await Promise.all([
    listOrdersPage(db, { accountId, limit: rowLimit(visit, 'orders') - 1 }),
    listPayouts(db, { accountId, limit: rowLimit(visit, 'payouts') - 1 }),
    listActions(db, {
      action: 'account.credited',
      subject: { kind: 'account', id: accountId },
      before: undefined,
      limit: SHOWN_CREDITS,
    }),
  ]);
  const { operator, payouts: money } = visit.texts;
  const words = operator.accounts;
  const list = <Row>(name: string, title: string, rows: readonly Row[], empty: string) =>
    ({ name, title, rows, empty, common: 'owner', note: rows.length > 0 ? words.ordersNote : undefined }) as const;
  const tables = [
    botsTable(visit, account),
    ...(account.bots.length === 0 ? [] : [await qualityTable(deps, visit, accountId)]),
    await connectedTable(deps, visit, accountId),
    ordersTable(visit, list('orders', words.orders, orders, words.noOrders)),
    payoutsTable(visit, list('payouts', money.listTitle, paid, words.noPayouts)),
    ...(credits.length === 0 ? [] : [creditsTable(visit, accountId, credits)]),
  ];
  const { title, text: note } = operator.credit;
  const creditPanel = panel(title, moneyForm(visit, 'credit', accountId, draft), { note });
  return {
    title: words.numbered(accountId),
    crumbs: accountCrumbs(visit),
    aside: badge(...accountBadge(visit, account)),
    body: html`${warnings(visit, account)}${figures(visit, account)}${about(visit, account)}<div class="columns">${creditPanel}${accessPanel(visit, account)}</div>${tables.map((table) => table.html)}`,
    tables,
  };
}

function warnings({ texts, shared, formats }: Visit, { bannedAt, banReason, freeze }: AccountDescription): Html {
  const banned = bannedAt && warning(texts.operator.accounts.bannedSince(formats.moment(bannedAt), banReason ?? ''));
  const frozen = freeze && warning(shared.operator.accounts.frozenSince(formats.moment(freeze.at), freeze.reason));
  return html`${banned ?? undefined}${frozen}`;
}

function figures(
  { texts, formats }: Visit,
  { availableKopecks, withdrawableKopecks, holdKopecks, bots, orders }: AccountDescription,
): Html {
  const { payouts: money, operator } = texts;
  const total = [...orders.values()].reduce((sum, count) => sum + count, 0);
  return tiles(
    tile(money.withdrawable, formats.rubles(withdrawableKopecks), money.withdrawableNote),
    tile(money.available, formats.rubles(availableKopecks), money.availableNote),
    tile(money.hold, formats.rubles(holdKopecks), money.holdNote),
    tile(operator.accounts.bots, formats.count(bots.length)),
    tile(operator.accounts.orders, formats.count(total)),
  );
}

function about({ texts, shared, formats }: Visit, account: AccountDescription): Html {
  const { operator, common } = texts;
  const byStatus = [...account.orders].map(
    ([status, count]) => `${shared.orders.statuses[status]} ${formats.count(count)}`,
  );
  return panel(
    operator.accounts.about,
    facts(
      [common.name, account.name],
      [operator.telegramId, String(account.telegramUserId)],
      [operator.accounts.opened, formats.moment(account.createdAt)],
      [operator.accounts.ordersBy, byStatus.length === 0 ? '–' : byStatus.join(', ')],
    ),
    { id: 'about-account' },
  );
}

function accessPanel({ texts }: Visit, { id, bannedAt, freeze }: AccountDescription): Html {
  const { accounts, freeze: words, debit } = texts.operator;
  const path = accountPath(id);
  const links = buttons(
    bannedAt === null
      ? stepLink(`${path}/ban`, accounts.askBan.submit, 'danger')
      : stepLink(`${path}/unban`, accounts.askUnban.submit),
    freeze === undefined
      ? stepLink(`${path}/freeze`, words.askAccount.submit, 'danger')
      : stepLink(`${path}/unfreeze`, words.liftAccount.submit),
    stepLink(`${path}/debit`, debit.submit, 'danger'),
  );
  return panel(accounts.access, links, { note: accounts.accessNote });
}

/** Lists credits of operators. A mistaken one is taken back by a counter-entry. */
function creditsTable(visit: Visit, accountId: number, rows: readonly OperatorAction[]): BuiltTable {
  const { common, operator } = visit.texts;
  const words = operator.correct;
  const amountOf = ({ details }: OperatorAction): bigint => BigInt(details.amountKopecks ?? 0);
  return buildTable(visit, {
    name: 'credits',
    title: words.title,
    note: words.note,
    rows,
    empty: common.nothing,
    columns: ({ time, rubles, text, id }) => [
      time(common.time, ({ at }) => at),
      rubles(common.amount, amountOf),
      text(operator.log.details, ({ details }) => details.note ?? ''),
      id(operator.log.operator, ({ operatorId }) => operatorId),
    ],
    actions: (credit) =>
      html`<a class="quiet-button" href="${`${accountPath(accountId)}/credits/${credit.id}/correct`}" aria-label="${`${words.ask.submit}: ${visit.formats.rubles(amountOf(credit))}`}">${words.ask.submit}…</a>`,
  });
}

function botsTable(visit: Visit, { bots }: AccountDescription): BuiltTable {
  const { common, operator } = visit.texts;
  const words = operator.accounts;
  return buildTable(visit, {
    name: 'bots',
    title: words.bots,
    rows: bots,
    empty: words.noBots,
    columns: ({ text, id, badge: state }) => [
      text(common.name, ({ username }) => `@${username}`),
      id(common.number, (bot) => bot.id),
      state(words.state, ({ isActive }) => (isActive ? ['good', words.isActive] : ['plain', words.isOff])),
    ],
  });
}

/** Bans an account or freezes its withdrawals, and lifts both. */
export function accountActions(router: ConsoleRouter, deps: ConsoleDeps): void {
  const back = (visit: Visit): string => accountPath(readId(visit));
  const crumbs = async (visit: Visit): Promise<[Crumb, ...Crumb[]]> =>
    accountCrumbs(visit, (await requireAccount(deps.db, visit)).id);

  askReason(router, `${ACCOUNTS}/:id/ban`, {
    style: 'danger',
    words: ({ accounts }) => accounts.askBan,
    crumbs,
    async act(visit, reason) {
      const words = visit.shared.operator.accounts;
      const outcome = await banAccount(deps, { ...byOperator(visit), accountId: readId(visit), reason });
      switch (outcome.kind) {
        case 'banned':
          return done(back(visit), words.banned(visit.formats.count(outcome.pausedOrderIds.length)));
        case 'already_banned':
          return refused(back(visit), words.alreadyBanned);
        case 'is_operator':
          return refused(back(visit), words.isOperator);
        case 'not_found':
          throw accountNotFound();
      }
    },
  });

  confirmedAction(router, `${ACCOUNTS}/:id/unban`, {
    back,
    ask: async (visit) => ({
      ...visit.texts.operator.accounts.askUnban,
      crumbs: await crumbs(visit),
      style: 'primary',
    }),
    async act(visit) {
      const { id } = await requireAccount(deps.db, visit);
      const words = visit.shared.operator.accounts;
      const outcome = await unbanAccount(deps, { ...byOperator(visit), accountId: id });
      if (outcome.kind === 'not_banned') return refused(back(visit), words.notBanned);
      return done(back(visit), words.unbanned);
    },
  });

  askReason(router, `${ACCOUNTS}/:id/credits/:credit/correct`, {
    style: 'danger',
    words: ({ correct }) => correct.ask,
    crumbs,
    async act(visit, reason) {
      const { accounts } = visit.shared.operator;
      const outcome = await correctCredit(deps, { ...byOperator(visit), creditId: readId(visit, 'credit'), reason });
      if (outcome.kind === 'debited') return done(back(visit), visit.texts.operator.correct.done);
      if (outcome.kind === 'already_debited') return refused(back(visit), accounts.alreadyDebited);
      throw accountNotFound();
    },
  });

  askReason(router, `${ACCOUNTS}/:id/freeze`, {
    style: 'danger',
    words: ({ freeze }) => freeze.askAccount,
    crumbs,
    async act(visit, reason) {
      const { freezes, unchanged } = visit.shared.operator;
      const outcome = await freezeAccount(deps, { ...byOperator(visit), accountId: readId(visit), reason });
      if (outcome.kind === 'not_found') throw accountNotFound();
      return outcome.kind === 'done' ? done(back(visit), freezes.frozen) : refused(back(visit), unchanged);
    },
  });

  confirmedAction(router, `${ACCOUNTS}/:id/unfreeze`, {
    back: (visit) => visit.path,
    ask: async (visit) => ({
      ...visit.texts.operator.freeze.liftAccount,
      crumbs: await crumbs(visit),
      style: 'primary',
    }),
    async act(visit) {
      const { freezes, unchanged } = visit.shared.operator;
      const outcome = await unfreezeAccount(deps, { ...byOperator(visit), accountId: readId(visit) });
      if (outcome.kind === 'not_found') throw accountNotFound();
      return outcome.kind === 'done' ? done(back(visit), freezes.lifted) : refused(back(visit), unchanged);
    },
  });
}
