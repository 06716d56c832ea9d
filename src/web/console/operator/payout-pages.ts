import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { type AccountSummary, findAccountSummary } from '../../../modules/accounts/index.ts';
import {
  approvePayout,
  freezePayout,
  markPayoutSent,
  percentOf,
  REVIEW_DAYS,
  rejectPayout,
  reviewEarnings,
  unfreezePayout,
  WAITING_PAYOUTS,
} from '../../../modules/operators/index.ts';
import {
  type DecisionOutcome,
  findPayout,
  isPayoutClosed,
  isPayoutFrozen,
  listPayoutsIn,
  type Payout,
} from '../../../modules/payouts/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { badge, buttons, copyable, facts, panel, stepLink, tile, tiles, warning } from '../parts/elements.ts';
import { hidden } from '../parts/form.ts';
import { pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Crumb, done, type Redirect, readCursor, readId, refused, type Visit } from '../visit.ts';
import { askReason } from './ask-reason.ts';
import { accountLink, byOperator, ownerLink, PAYOUTS } from './operator-path.ts';
import { riskPanels } from './risk-panels.ts';
import { payoutBadge, payoutsTable } from './tables.ts';

const LIST = 'waiting-payouts';
const payoutPath = (id: number): string => `${PAYOUTS}/${id}`;
const notFound = (): ApiError => new ApiError('route_not_found', 'There is no such payout.');
const payoutCrumbs = ({ texts: { operator } }: Visit, id?: number): [Crumb, ...Crumb[]] => [
  { label: operator.menu.payouts, href: PAYOUTS },
  ...(id === undefined ? [] : [{ label: operator.payouts.payout(id), href: payoutPath(id) }]),
];

/** Payouts that an operator approves, rejects, freezes or marks as sent. */
export function payoutPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;
  const back = (visit: Visit): string => payoutPath(readId(visit));

  async function requirePayout(visit: Visit): Promise<Payout> {
    const payout = await findPayout(db, readId(visit));
    if (payout === undefined) throw notFound();
    return payout;
  }
  const crumbs = async (visit: Visit): Promise<[Crumb, ...Crumb[]]> =>
    payoutCrumbs(visit, (await requirePayout(visit)).id);
  const decisionOn = (visit: Visit) => ({ ...byOperator(visit), payoutId: readId(visit) });

  router.page(PAYOUTS, async (visit) => {
    const after = readCursor(visit.query, 'after') ?? 0;
    const found = await listPayoutsIn(db, { statuses: WAITING_PAYOUTS, limit: rowLimit(visit, LIST), after });
    const { rows, last } = pageOf(visit, LIST, found);
    const { title, note, empty } = visit.texts.operator.payouts;
    const next = last && { after: last.id };
    const table = payoutsTable(visit, { name: LIST, title, note, empty, rows, next, common: 'nothing' });
    return { title: visit.texts.operator.menu.payouts, body: table.html, tables: [table] };
  });

  router.page(`${PAYOUTS}/:id`, async (visit) => {
    const payout = await requirePayout(visit);
    const account = await findAccountSummary(db, payout.accountId);
    const isClosed = isPayoutClosed(payout.status);
    const review = isClosed ? undefined : await reviewPanel(deps, visit, payout.accountId);
    const risk = isClosed ? undefined : (await riskPanels(deps, visit, payout.accountId)).html;
    return {
      title: visit.texts.operator.payouts.payout(payout.id),
      crumbs: payoutCrumbs(visit),
      aside: badge(...payoutBadge(visit, payout)),
      body: html`${freezeWarning(visit, payout)}${describe(visit, payout, account)}${review}${risk}${decisions(visit, payout)}`,
    };
  });

  confirmedAction(router, `${PAYOUTS}/:id/approve`, {
    back,
    async ask(visit) {
      const { id, accountId, amountKopecks, destination } = await requirePayout(visit);
      const words = visit.texts.operator.payouts;
      const risk = await riskPanels(deps, visit, accountId);
      const newest = Math.max(0, ...risk.cases.map((one) => one.id));
      const seen = visit.texts.operator.cases.approveSeen(visit.formats.count(risk.cases.length));
      return {
        title: words.approveTitle(visit.formats.rubles(amountKopecks)),
        crumbs: payoutCrumbs(visit, id),
        text: `${words.approveText(destination)}${newest === 0 ? '' : ` ${seen}`}`,
        lead: html`${await reviewPanel(deps, visit, accountId)}${risk.html}`,
        fields: hidden('seen_case', String(newest)),
        submit: words.approve,
        style: 'primary',
      };
    },
    async act(visit, sent) {
      const text = sent.get('seen_case') ?? '';
      const seenCase = /^\d{1,15}$/.test(text) ? Number(text) : 0;
      const outcome = await approvePayout(deps, { ...decisionOn(visit), seenCase });
      if (outcome.kind === 'open_cases') return refused(back(visit), visit.shared.cases.outcomes.openCases);
      return redirectAfter(visit, outcome, visit.shared.operator.payouts.approved);
    },
  });

  askReason(router, `${PAYOUTS}/:id/reject`, {
    style: 'danger',
    words: ({ payouts: words }) => words.askReject,
    crumbs,
    async act(visit, reason) {
      const outcome = await rejectPayout(deps, { ...decisionOn(visit), reason });
      return redirectAfter(visit, outcome, visit.shared.operator.payouts.rejected);
    },
  });

  askReason(router, `${PAYOUTS}/:id/freeze`, {
    style: 'danger',
    words: ({ freeze }) => freeze.askPayout,
    crumbs,
    async act(visit, reason) {
      const outcome = await freezePayout(deps, { ...decisionOn(visit), reason });
      return redirectAfter(visit, outcome, visit.shared.operator.freezes.frozen);
    },
  });

  confirmedAction(router, `${PAYOUTS}/:id/unfreeze`, {
    back: (visit) => visit.path,
    ask: async (visit) => ({
      ...visit.texts.operator.freeze.liftPayout,
      crumbs: await crumbs(visit),
      style: 'primary',
    }),
    act: async (visit) =>
      redirectAfter(visit, await unfreezePayout(deps, decisionOn(visit)), visit.shared.operator.freezes.lifted),
  });

  askReason(router, `${PAYOUTS}/:id/sent`, {
    style: 'primary',
    words: ({ payouts: words }) => words.askSent,
    crumbs,
    async act(visit, reference) {
      const outcome = await markPayoutSent(deps, { ...decisionOn(visit), reference });
      if (outcome.kind === 'invalid_reference') return refused(back(visit), visit.shared.inputs.textLength);
      return redirectAfter(visit, outcome, visit.shared.operator.payouts.sent);
    },
  });
}

/** Returns to the payout and shows the outcome of the decision. */
function redirectAfter(visit: Visit, outcome: DecisionOutcome | { kind: 'unchanged' }, success: string): Redirect {
  const { operator, payouts } = visit.shared;
  const to = payoutPath(readId(visit));
  if (outcome.kind === 'not_found') throw notFound();
  if (outcome.kind === 'unchanged') return refused(to, operator.unchanged);
  if (outcome.kind === 'frozen') return refused(to, operator.freezes.liftFirst);
  if (outcome.kind === 'in_debt') return refused(to, operator.payouts.inDebt);
  return outcome.kind === 'done'
    ? done(to, success)
    : refused(to, operator.alreadyDecided(payouts.statuses[outcome.status]));
}

function freezeWarning({ shared }: Visit, payout: Payout): Html | undefined {
  const words = shared.operator.payouts;
  if (!isPayoutFrozen(payout) || isPayoutClosed(payout.status)) return undefined;
  return warning(payout.frozenAt === null ? words.ownerFrozen : words.frozenBecause(payout.freezeReason ?? ''));
}

function describe(visit: Visit, payout: Payout, account: AccountSummary | undefined): Html {
  const { texts, shared, formats } = visit;
  const { operator, payouts: words } = texts;
  const { lastError, reason, reference, closedAt } = payout;
  return panel(
    formats.rubles(payout.amountKopecks),
    facts(
      [operator.owner, ownerLink(visit, payout.accountId, account)],
      [operator.telegramId, String(account?.telegramUserId ?? texts.common.unknown)],
      [words.method, shared.payouts.methods[payout.method]],
      [words.destination, copyable(visit, payout.destination, words.destination)],
      [texts.common.time, formats.moment(payout.createdAt)],
      closedAt === null ? undefined : [words.closed, formats.moment(closedAt)],
      lastError === null ? undefined : [operator.payouts.error, lastError],
      reason === null ? undefined : [operator.payouts.reason, reason],
      reference === null ? undefined : [operator.payouts.reference, reference],
    ),
    { id: 'about-payout' },
  );
}

/** Links to the decisions that the status allows; the use cases check again. */
function decisions(visit: Visit, { id, status, method, frozenAt }: Payout): Html | undefined {
  if (status !== 'requested' && status !== 'approved') return undefined;
  const { payouts: words, freeze } = visit.texts.operator;
  const path = payoutPath(id);
  const isManual = method === 'manual';
  const links = buttons(
    status === 'requested' && stepLink(`${path}/approve`, words.approve),
    status === 'approved' && isManual && stepLink(`${path}/sent`, words.markSent),
    stepLink(`${path}/reject`, words.askReject.submit, 'danger'),
    frozenAt === null
      ? stepLink(`${path}/freeze`, freeze.askPayout.submit)
      : stepLink(`${path}/unfreeze`, freeze.liftPayout.submit),
  );
  const note = status === 'requested' || isManual ? words.notes[status] : words.notes.automatic;
  return panel(words.decide, links, { note });
}

/** Shows where an account's money comes from, so that an operator can judge its payout. */
async function reviewPanel(deps: Pick<ConsoleDeps, 'db' | 'clock'>, visit: Visit, accountId: number): Promise<Html> {
  const { rubles, count, percent } = visit.formats;
  const words = visit.texts.operator.review;
  const review = await reviewEarnings(deps, accountId);
  const { unsettledPercent, reversalPercent, counterparties } = review;
  const share = (value: number | null, words: (share: string) => string): string | undefined =>
    value === null ? undefined : words(percent(value));
  const figures = tiles(
    tile(words.balance, rubles(review.funds.availableKopecks)),
    tile(words.unsettled, rubles(review.reversibleKopecks), share(unsettledPercent, words.ofRewards)),
    tile(words.counted, count(review.counted), share(reversalPercent, words.reversed)),
    tile(words.advertisers, count(review.advertisers)),
  );
  const paid = counterparties.map((one): [string, Html] => {
    const part = percent(percentOf(one.rewardKopecks, review.rewardKopecks) ?? 0);
    const line = words.line({ amount: rubles(one.rewardKopecks), share: part, count: count(one.subscriptions) });
    const mark = one.isConnected && html` ${badge('bad', words.sameOwner)}`;
    return [one.name, html`${accountLink(visit, one.accountId)}: ${line}${mark}`];
  });
  const list = paid.length === 0 ? html`<p>${words.none}</p>` : html`<h3>${words.counterparties}</h3>${facts(...paid)}`;
  return panel(words.title, html`${figures}${list}`, { note: words.note(REVIEW_DAYS), id: 'review' });
}
