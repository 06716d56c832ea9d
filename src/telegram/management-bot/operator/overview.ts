import type { Html } from '../../../core/html.ts';
import { findAccount } from '../../../modules/accounts/index.ts';
import { type ByOperator, readQueues } from '../../../modules/operators/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { type Button, press } from '../screen.ts';

/** The operator's menu with the length of each queue. */
export async function showOverview(deps: ManagementBotDeps, ctx: BotContext): Promise<void> {
  const { operator, common } = ctx.texts;
  const { menu } = operator;
  const { count } = ctx.formats;
  const queues = await readQueues(deps);
  await ctx.talk.show({
    text: operator.overview,
    rows: [
      [press(menu.moderation({ count: count(queues.orders) }), 'op.mods'), press(operator.moderation.runs, 'op.runs')],
      [
        press(menu.payouts({ count: count(queues.payouts) }), 'op.pays'),
        press(menu.deposits({ count: count(queues.deposits) }), 'op.deps'),
      ],
      [press(menu.accounts, 'op.accs'), press(operator.debtors.menu, 'op.debts'), press(menu.users, 'op.user')],
      [press(menu.beta, 'op.beta'), press(menu.contests({ count: count(queues.contests) }), 'op.cons')],
      [press(menu.figures, 'op.fig'), press(menu.broadcasts, 'op.casts'), press(operator.checkers.menu, 'op.checks')],
      [press(menu.cases({ count: count(queues.cases) }), 'op.cases')],
      [press(menu.log, 'op.log'), press(common.refresh, 'operator')],
      [press(common.home, 'home')],
    ],
  });
}

/** The button back to the operator's menu. */
export const toOverview = ({ texts }: BotContext): Button => press(texts.operator.menu.operator, 'operator');

/** Returns the operator for the audit log. */
export const by = ({ person }: BotContext): ByOperator => ({ operatorId: person.telegramUserId });

/** Returns the line that names an owner and links to their chat. */
export async function ownerLine({ db }: ManagementBotDeps, ctx: BotContext, accountId: number): Promise<Html> {
  const account = await findAccount(db, accountId);
  return ctx.texts.operator.owner({
    accountId,
    name: account?.name ?? '?',
    userId: account?.telegramUserId ?? 0,
    isBanned: account !== undefined && account.bannedAt !== null,
  });
}

/** Returns the typed text as one trimmed line, or undefined when it is empty or too long. */
export function readLine(text: string, most: number): string | undefined {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line !== '' && line.length <= most ? line : undefined;
}

/** The outcomes that most decisions share. */
export type DecisionOutcome<Status extends string> =
  | { readonly kind: 'done' | 'not_found' | 'unchanged' | 'frozen' | 'owner_banned' | 'open_cases' | 'in_debt' }
  | { readonly kind: 'not_allowed' | 'not_waiting'; readonly status: Status };

/** Returns the toast text of a decision. */
export function decisionToast<Status extends string>(
  { texts }: BotContext,
  outcome: DecisionOutcome<Status>,
  done: string,
  statuses: Readonly<Record<Status, string>>,
): string {
  const { operator } = texts.shared;
  switch (outcome.kind) {
    case 'done':
      return done;
    case 'not_found':
      return texts.operator.gone;
    case 'unchanged':
      return operator.unchanged;
    case 'frozen':
      return operator.freezes.liftFirst;
    case 'in_debt':
      return operator.payouts.inDebt;
    case 'owner_banned':
      return operator.ownerBanned;
    case 'open_cases':
      return texts.shared.cases.outcomes.openCases;
    case 'not_allowed':
    case 'not_waiting':
      return operator.alreadyDecided(statuses[outcome.status]);
  }
}
