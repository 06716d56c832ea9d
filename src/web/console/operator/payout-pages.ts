import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { type AccountSummary, findAccountSummary } from '../../../modules/accounts/index.ts';
import {
  approvePayout,
  freezePayout,
  markPayoutSent,
  rejectPayout,
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
import { confirmPage } from '../parts/confirm.ts';
import { copyable, facts, NOTHING, panel } from '../parts/pieces.ts';
import { rowsShown, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Crumb, cursorIn, done, idIn, type Redirect, refused, type Visit } from '../visit.ts';
import { askSure } from './ask-sure.ts';
import { askWords } from './ask-words.ts';
import { by, FOR_OPERATORS, onward, ownerOf, PAYOUTS } from './operator-path.ts';
import { reviewPanel } from './review-panel.ts';
import { payoutBadge, payoutsTable } from './tables.ts';

const payoutPath = (id: number): string => `${PAYOUTS}/${id}`;
const notFound = (): ApiError => new ApiError('route_not_found', 'There is no such payout.');
const toList = ({ texts }: Visit): Crumb => ({ label: texts.operator.menu.payouts, href: PAYOUTS });

/** Payouts that wait to be approved, or to be called sent. */
export function payoutPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;
  const back = (visit: Visit): string => payoutPath(idIn(visit));

  async function payoutIn(visit: Visit): Promise<Payout> {
    const payout = await findPayout(db, idIn(visit));
    if (payout === undefined) throw notFound();
    return payout;
  }
  const about = async (visit: Visit): Promise<Crumb> => {
    const { id } = await payoutIn(visit);
    return { label: visit.texts.operator.payouts.payout(id), href: payoutPath(id) };
  };

  router.page(
    PAYOUTS,
    async (visit) => {
      const after = cursorIn(visit.query, 'after') ?? 0;
      const found = await listPayoutsIn(db, {
        statuses: WAITING_PAYOUTS,
        limit: rowsWanted(visit, 'waiting-payouts'),
        after,
      });
      const rows = rowsShown(visit, 'waiting-payouts', found);
      const { title, note, empty } = visit.texts.operator.payouts;
      const table = payoutsTable(visit, { name: 'waiting-payouts', title, note, empty, rows, common: 'nothing' });
      return {
        title: visit.texts.operator.menu.payouts,
        section: PAYOUTS,
        body: html`${table.html}${onward(visit, found.length > rows.length ? rows.at(-1)?.id : undefined)}`,
        tables: [table],
      };
    },
    FOR_OPERATORS,
  );

  router.page(
    `${PAYOUTS}/:id`,
    async (visit) => {
      const payout = await payoutIn(visit);
      const account = await findAccountSummary(db, payout.accountId);
      const review = isPayoutClosed(payout.status) ? NOTHING : await reviewPanel(deps, visit, payout.accountId);
      return {
        title: visit.texts.operator.payouts.payout(payout.id),
        section: PAYOUTS,
        crumbs: [toList(visit)],
        aside: payoutBadge(visit, payout.status),
        body: html`${frozenNote(visit, payout)}${describe(visit, payout, account)}${review}${decisions(visit, payout)}`,
      };
    },
    FOR_OPERATORS,
  );

  router.page(
    `${PAYOUTS}/:id/approve`,
    async (visit) => {
      const { id, accountId, amountKopecks, destination } = await payoutIn(visit);
      const words = visit.texts.operator.payouts;
      return confirmPage(visit, {
        title: words.approveTitle(visit.formats.rubles(amountKopecks)),
        section: PAYOUTS,
        crumbs: [toList(visit), await about(visit)],
        text: words.approveText(destination),
        lead: await reviewPanel(deps, visit, accountId),
        action: visit.path,
        submit: words.approve,
        back: payoutPath(id),
        look: 'primary',
      });
    },
    FOR_OPERATORS,
  );

  router.action(
    `${PAYOUTS}/:id/approve`,
    async (visit) => {
      const outcome = await approvePayout(deps, { ...by(visit), payoutId: idIn(visit) });
      return told(visit, outcome, visit.texts.operator.payouts.approved);
    },
    { ...FOR_OPERATORS, back },
  );

  askWords(router, {
    path: `${PAYOUTS}/:id/reject`,
    section: PAYOUTS,
    look: 'danger',
    words: ({ texts }) => texts.operator.payouts.askReject,
    list: toList,
    about,
    async carryOut(visit, reason) {
      const outcome = await rejectPayout(deps, { ...by(visit), payoutId: idIn(visit), reason });
      return told(visit, outcome, visit.texts.operator.payouts.rejected);
    },
  });

  askWords(router, {
    path: `${PAYOUTS}/:id/freeze`,
    section: PAYOUTS,
    look: 'danger',
    words: ({ texts }) => texts.operator.freeze.askPayout,
    list: toList,
    about,
    async carryOut(visit, reason) {
      const words = visit.texts.operator.freeze;
      const outcome = await freezePayout(deps, { ...by(visit), payoutId: idIn(visit), reason });
      return outcome.kind === 'unchanged' ? refused(back(visit), words.unchanged) : told(visit, outcome, words.done);
    },
  });

  askSure(router, {
    path: `${PAYOUTS}/:id/unfreeze`,
    section: PAYOUTS,
    words: ({ texts }) => texts.operator.freeze.liftPayout,
    list: toList,
    about,
    async carryOut(visit) {
      const words = visit.texts.operator.freeze;
      const outcome = await unfreezePayout(deps, { ...by(visit), payoutId: idIn(visit) });
      return outcome.kind === 'unchanged' ? refused(back(visit), words.unchanged) : told(visit, outcome, words.lifted);
    },
  });

  askWords(router, {
    path: `${PAYOUTS}/:id/sent`,
    section: PAYOUTS,
    look: 'primary',
    words: ({ texts }) => texts.operator.payouts.askSent,
    list: toList,
    about,
    async carryOut(visit, reference) {
      const outcome = await markPayoutSent(deps, { ...by(visit), payoutId: idIn(visit), reference });
      if (outcome.kind === 'invalid_reference') return refused(back(visit), visit.texts.operator.wrongText);
      return told(visit, outcome, visit.texts.operator.payouts.sent);
    },
  });
}

/** Back to the payout, with what came of the decision. */
function told(visit: Visit, outcome: DecisionOutcome, success: string): Redirect {
  const { operator, payouts } = visit.texts;
  const to = payoutPath(idIn(visit));
  if (outcome.kind === 'not_found') throw notFound();
  if (outcome.kind === 'frozen') return refused(to, operator.freeze.refused);
  return outcome.kind === 'done'
    ? done(to, success)
    : refused(to, operator.alreadyDone(payouts.statuses[outcome.status]));
}

function frozenNote({ texts }: Visit, payout: Payout): Html {
  const words = texts.operator.freeze;
  if (!isPayoutFrozen(payout) || isPayoutClosed(payout.status)) return NOTHING;
  const said = payout.frozenAt === null ? words.ownerFrozen : words.payoutFrozen(payout.freezeReason ?? '');
  return html`<p class="flash bad">${said}</p>`;
}

function describe(visit: Visit, payout: Payout, account: AccountSummary | undefined): Html {
  const { texts, formats } = visit;
  const { operator, payouts: words } = texts;
  const { lastError, reason, reference, closedAt } = payout;
  return panel(
    formats.rubles(payout.amountKopecks),
    facts(
      [operator.owner, ownerOf(visit, payout.accountId, account)],
      [operator.telegramId, String(account?.telegramUserId ?? texts.common.unknown)],
      [words.method, words.methods[payout.method]],
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

/** What may be decided about it now; the use cases have the last word. */
function decisions(visit: Visit, { id, status, method, frozenAt }: Payout): Html {
  const words = visit.texts.operator.payouts;
  const path = payoutPath(id);
  const reject = html`<a class="button danger-link" href="${`${path}/reject`}">${words.reject}…</a>`;
  const approve = html`<a class="button" href="${`${path}/approve`}">${words.approve}…</a>`;
  const send = html`<a class="button" href="${`${path}/sent`}">${words.markSent}…</a>`;
  const { freeze } = visit.texts.operator;
  const ice =
    frozenAt === null
      ? html`<a class="button" href="${`${path}/freeze`}">${freeze.askPayout.submit}…</a>`
      : html`<a class="button" href="${`${path}/unfreeze`}">${freeze.liftPayout.submit}…</a>`;
  const choose = (note: string, buttons: Html): Html =>
    panel(words.decide, html`<div class="buttons">${buttons}${ice}</div>`, { note });
  if (status === 'requested') return choose(words.notes.requested, html`${approve}${reject}`);
  if (status !== 'approved') return NOTHING;
  return method === 'manual'
    ? choose(words.notes.approved, html`${send}${reject}`)
    : choose(words.notes.automatic, reject);
}
