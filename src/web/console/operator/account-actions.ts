import { banAccount, freezeAccount, unbanAccount, unfreezeAccount } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Crumb, done, readId, refused, type Visit } from '../visit.ts';
import { accountCrumbs, accountNotFound, accountPath, requireAccount } from './account-page.ts';
import { askReason } from './ask-reason.ts';
import { ACCOUNTS, byOperator } from './operator-path.ts';

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
