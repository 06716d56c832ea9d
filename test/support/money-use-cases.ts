import {
  approveContest,
  type ContestDeps,
  cancelContest,
  countWaitingContests,
  createContest,
  createLiveStandings,
  findContest,
  findEarliestOpenStart,
  finishContests,
  listContests,
  readStandings,
  reportContests,
} from '../../src/modules/contests/index.ts';
import {
  approvePayout,
  checkInvoice,
  countOpenDepositRequests,
  countPayoutsIn,
  createDepositInvoice,
  creditAccount,
  debitAccount,
  declineDeposit,
  findDepositRequest,
  findPayout,
  freezePayout,
  listOpenDepositRequests,
  listPayouts,
  listPayoutsIn,
  markPayoutSent,
  type PayoutDeps,
  reconcileInvoices,
  recordInvoicePaid,
  rejectPayout,
  requestDeposit,
  requestPayout,
  sendApprovedPayouts,
  unfreezePayout,
} from '../../src/modules/payouts/index.ts';

/** The arguments of a use case without its dependencies and without the time, which the test clock sets. */
type Input<UseCase extends (deps: never, input: never) => unknown> = Omit<Parameters<UseCase>[1], 'at'>;

/** Binds the use cases of payouts to their dependencies, so that tests stay short. */
export function bindPayouts(deps: PayoutDeps) {
  const { db, clock } = deps;
  const decide = <T extends object, Outcome>(
    useCase: (tx: Parameters<typeof approvePayout>[0], input: T & { at: Date }) => Promise<Outcome>,
    input: T,
  ): Promise<Outcome> => db.transaction((tx) => useCase(tx, { ...input, at: clock.now() }));
  return {
    deps,
    request: (input: Input<typeof requestPayout>) => requestPayout(deps, input),
    approve: (input: Input<typeof approvePayout>) => decide(approvePayout, input),
    reject: (input: Input<typeof rejectPayout>) => decide(rejectPayout, input),
    markSent: (input: Input<typeof markPayoutSent>) => decide(markPayoutSent, input),
    freeze: (input: Input<typeof freezePayout>) => decide(freezePayout, input),
    unfreeze: ({ payoutId }: { payoutId: number }) => db.transaction((tx) => unfreezePayout(tx, payoutId)),
    find: (payoutId: number) => findPayout(db, payoutId),
    list: (page: Input<typeof listPayouts>) => listPayouts(db, page),
    listIn: (page: Input<typeof listPayoutsIn>) => listPayoutsIn(db, page),
    countIn: (statuses: Parameters<typeof countPayoutsIn>[1]) => countPayoutsIn(db, statuses),
    creditAccount: (input: Input<typeof creditAccount>) => decide(creditAccount, input),
    debitAccount: (input: Input<typeof debitAccount>) => decide(debitAccount, input),
    requestDeposit: (input: Input<typeof requestDeposit>) => requestDeposit(deps, input),
    declineDeposit: (input: Input<typeof declineDeposit>) => decide(declineDeposit, input),
    findDepositRequest: (requestId: number) => findDepositRequest(db, requestId),
    listDepositRequests: (page: Input<typeof listOpenDepositRequests>) => listOpenDepositRequests(db, page),
    countDepositRequests: () => countOpenDepositRequests(db),
    createInvoice: (input: Input<typeof createDepositInvoice>) => createDepositInvoice(deps, input),
    checkInvoice: (input: Input<typeof checkInvoice>) => checkInvoice(deps, input),
    recordInvoicePaid: (invoiceId: number) => recordInvoicePaid(deps, invoiceId),
    sendApproved: (signal?: AbortSignal) => sendApprovedPayouts(deps, signal),
    reconcileInvoices: (signal?: AbortSignal) => reconcileInvoices(deps, signal),
  };
}
export type Payouts = ReturnType<typeof bindPayouts>;

/** Binds the use cases of contests to their dependencies. */
export function bindContests(settings: Omit<ContestDeps, 'liveStandings'>) {
  const deps: ContestDeps = { ...settings, liveStandings: createLiveStandings(settings) };
  const { db, clock, needsApproval } = deps;
  return {
    deps,
    create: (contest: Omit<Input<typeof createContest>, 'needsApproval'>) =>
      db.transaction((tx) => createContest(tx, { ...contest, needsApproval, at: clock.now() })),
    approve: (contestId: number) => db.transaction((tx) => approveContest(tx, { contestId, at: clock.now() })),
    cancel: (contestId: number) => db.transaction((tx) => cancelContest(tx, { contestId, at: clock.now() })),
    countWaiting: () => countWaitingContests(db, clock.now()),
    find: (contestId: number) => findContest(db, contestId),
    list: (limit: number) => listContests(db, limit),
    standings: (contest: Parameters<typeof readStandings>[1], limit: number) => readStandings(deps, contest, limit),
    report: (accountId: number) => reportContests(deps, accountId),
    neededSince: () => findEarliestOpenStart(db),
    finish: (signal?: AbortSignal) => finishContests(deps, signal),
  };
}
export type Contests = ReturnType<typeof bindContests>;
