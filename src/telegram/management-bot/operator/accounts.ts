import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';
import { type AccountSummary, listAccountsPage, listDebtors } from '../../../modules/accounts/index.ts';
import { describeAccount, findAction, listActions, searchAccounts } from '../../../modules/operators/index.ts';
import { Area, type BotContext, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import {
  arrows,
  type Button,
  cursorsIn,
  inPairs,
  PAGE_SIZE,
  pageOf,
  press,
  readCursorPage,
  withNote,
} from '../screen.ts';
import { toOverview } from './overview.ts';

const SHOWN_BOTS = 10;
const BOT_BUTTONS = 6;
const SHOWN_CREDITS = 8;

/** Accounts, found by number, Telegram id or the username of a bot. */
export function accountsArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.accs', (ctx, ...args) => showList(ctx, cursorsIn(args)));

  async function showList(ctx: BotContext, cursors: readonly number[], problem?: string): Promise<void> {
    const page = await readCursorPage(cursors, 'op.accs', (before, limit) =>
      listAccountsPage(deps.db, { before, limit }),
    );
    await ctx.talk.ask('op.find', [], {
      text: withNote(problem, ctx.texts.operator.accounts.title),
      rows: [...inPairs(page.items.map((account) => accountButton(ctx, account))), page.arrows, [toOverview(ctx)]],
    });
  }

  area.onText('op.find', async (ctx, text) => {
    const { accounts } = ctx.texts.operator;
    const found = await searchAccounts(deps.db, text);
    const [only, ...others] = found;
    if (only === undefined) return showList(ctx, [], ctx.texts.shared.operator.accounts.notFound);
    if (others.length === 0) return showAccount(deps, ctx, only.id);
    return ctx.talk.ask('op.find', [], {
      text: accounts.found,
      rows: [...found.map((account) => [accountButton(ctx, account)]), [press(accounts.list, 'op.accs')]],
    });
  });

  // Credits that an operator made, to take a mistaken one back.
  area.onPress('op.crds', async (ctx, id) => {
    const { correct } = ctx.texts.operator;
    const subject = { kind: 'account', id: idIn(id) } as const;
    const credits = await listActions(deps.db, {
      action: 'account.credited',
      subject,
      before: undefined,
      limit: SHOWN_CREDITS,
    });
    await ctx.talk.show({
      text: credits.length === 0 ? correct.none : correct.choose,
      rows: [
        ...credits.map(({ id: creditId, at, details }) => {
          const amount = ctx.formats.rubles(BigInt(details.amountKopecks ?? 0));
          const label = [ctx.formats.moment(at), amount, clip(details.note ?? '', 30)].filter(Boolean).join(' · ');
          return [press(label, 'op.reason', 'credit', creditId)];
        }),
        [press(ctx.texts.common.back, 'op.a', subject.id)],
      ],
    });
  });
  area.onPress('op.crd', (ctx, id) => showCreditedAccount(deps, ctx, idIn(id)));

  area.onPress('op.a', (ctx, id) => showAccount(deps, ctx, idIn(id)));
  return area;
}

/** Shows the account of a credit in the audit log. */
export async function showCreditedAccount(deps: ManagementBotDeps, ctx: BotContext, creditId: number): Promise<void> {
  const credit = await findAction(deps.db, creditId);
  if (credit?.subject.kind !== 'account') return ctx.talk.toast(ctx.texts.operator.gone);
  return showAccount(deps, ctx, credit.subject.id);
}

function accountButton({ texts }: BotContext, { id, name, bannedAt }: AccountSummary): Button {
  return press(texts.operator.accounts.line({ id, name, isBanned: bannedAt !== null }), 'op.a', id);
}

export async function showAccount(deps: ManagementBotDeps, ctx: BotContext, accountId: number): Promise<void> {
  const { operator, shared } = ctx.texts;
  const { accounts } = operator;
  const { rubles, moment, count } = ctx.formats;
  const account = await describeAccount(deps.db, accountId);
  if (account === undefined) return ctx.talk.toast(operator.gone);
  const { bots, bannedAt, banReason, freeze } = account;
  await ctx.talk.expectNothing();
  await ctx.talk.show({
    text: lines(
      accounts.page({
        id: accountId,
        name: account.name,
        userId: account.telegramUserId,
        created: moment(account.createdAt),
        available: rubles(account.availableKopecks),
        hold: rubles(account.holdKopecks),
        withdrawable: rubles(account.withdrawableKopecks),
        bots: bots.slice(0, SHOWN_BOTS).map(({ username }) => username),
        moreBots: Math.max(0, bots.length - SHOWN_BOTS),
        orders: [...account.orders].map(([status, number]) => ({
          status: shared.orders.statuses[status],
          count: count(number),
        })),
        ban: bannedAt === null ? undefined : { at: moment(bannedAt), reason: banReason ?? '' },
      }),
      freeze && html`🧊 ${shared.operator.accounts.frozenSince(moment(freeze.at), clip(freeze.reason, 300))}`,
    ),
    rows: [
      [
        press(accounts.credit, 'op.credit', accountId),
        bannedAt === null
          ? press(accounts.ban, 'op.reason', 'account', accountId)
          : press(accounts.unban, 'op.confirm', 'unban', accountId),
      ],
      [
        press(operator.debit.button, 'op.debit', accountId),
        freeze === undefined
          ? press(operator.freeze.account, 'op.reason', 'freeze', accountId)
          : press(operator.freeze.liftAccount, 'op.confirm', 'unfreeze', accountId),
      ],
      [press(operator.correct.button, 'op.crds', accountId)],
      ...inPairs(bots.slice(0, BOT_BUTTONS).map(({ id, username }) => press(`🧪 @${username}`, 'op.bot', id))),
      [press(accounts.list, 'op.accs'), toOverview(ctx)],
    ],
  });
}

/** Accounts whose balance is negative, the largest debts first. */
export function debtorsArea({ db }: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('op.debts', async (ctx, number) => {
    const { debtors } = ctx.texts.operator;
    const { rubles } = ctx.formats;
    const offset = pageIn(number) * PAGE_SIZE;
    const page = pageOf(await listDebtors(db, { limit: PAGE_SIZE + 1, offset }), pageIn(number));
    const shown = page.items.map(({ accountId, name, debtKopecks, holdKopecks, isBanned }) =>
      debtors.line({ accountId, name, debt: rubles(debtKopecks), hold: rubles(holdKopecks), isBanned }),
    );
    await ctx.talk.show({
      text:
        shown.length === 0
          ? html`📉 ${ctx.texts.shared.operator.accounts.noDebtors}`
          : lines(debtors.title, EMPTY_LINE, ...shown),
      rows: [
        ...inPairs(page.items.map(({ accountId }) => press(debtors.open({ accountId }), 'op.a', accountId))),
        arrows(page, 'op.debts'),
        [toOverview(ctx)],
      ],
    });
  });
  return area;
}
