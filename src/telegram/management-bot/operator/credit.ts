import { type Static, Type } from 'typebox';
import { readRubles } from '../../../core/locale.ts';
import { findAccount } from '../../../modules/accounts/index.ts';
import { creditAccount, debitAccount } from '../../../modules/operators/index.ts';
import { findDepositRequest } from '../../../modules/payouts/index.ts';
import { Area, type BotContext, idIn, newNonce, nonceIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { press, withNote } from '../screen.ts';
import { showAccount } from './accounts.ts';
import { by, readLine } from './overview.ts';

const CreditDraft = Type.Object({
  /** Debits instead of crediting. */
  isDebit: Type.Optional(Type.Boolean()),
  accountId: Type.Integer({ minimum: 1 }),
  /** The deposit request that this credit closes. */
  requestId: Type.Optional(Type.Integer({ minimum: 1 })),
  amountKopecks: Type.Optional(Type.Integer({ minimum: 1 })),
  note: Type.Optional(Type.String({ maxLength: 500 })),
  /** The idempotency key in the last summary. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
type CreditDraft = Static<typeof CreditDraft>;
const creditDraft = wizardDraft('credit', CreditDraft);

/** Catches typing errors; not a rule of the exchange. */
const RANGE = { min: 1n, max: 1_000_000_000n };
const MAX_NOTE = 300;

/** Credits or debits an account: asks for the amount and a note, then for confirmation. */
export function creditArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  async function begin(ctx: BotContext, draft: CreditDraft): Promise<void> {
    await creditDraft.keep(ctx, draft);
    await askAmount(ctx);
  }

  area.onPress('op.credit', (ctx, id) => begin(ctx, { accountId: idIn(id) }));
  area.onPress('op.debit', (ctx, id) => begin(ctx, { accountId: idIn(id), isDebit: true }));
  area.onPress('op.depsum', async (ctx, id) => begin(ctx, (await findRequest(ctx, idIn(id))).draft));
  area.onPress('op.depok', async (ctx, id) => {
    const { request, draft } = await findRequest(ctx, idIn(id));
    await showSummary(ctx, { ...draft, amountKopecks: Number(request.amountKopecks) });
  });

  async function findRequest(ctx: BotContext, requestId: number) {
    const request = await findDepositRequest(deps.db, requestId);
    if (request === undefined) throw new StaleButton('a request that does not exist');
    const note = ctx.texts.operator.deposits.note({ id: requestId });
    return { request, draft: { accountId: request.accountId, requestId, note } };
  }

  async function askAmount(ctx: BotContext, problem?: string): Promise<void> {
    const draft = creditDraft.of(ctx);
    await ctx.talk.ask('op.sum', [], {
      text: withNote(problem, wordsOf(ctx, draft).askAmount(draft)),
      rows: [[cancel(ctx, draft)]],
    });
  }

  area.onText('op.sum', async (ctx, text) => {
    const amount = readRubles(text);
    if (amount === undefined) return askAmount(ctx, ctx.texts.shared.inputs.wrongAmount);
    if (amount < RANGE.min || amount > RANGE.max) {
      const { rubles } = ctx.formats;
      return askAmount(ctx, ctx.texts.shared.inputs.range(rubles(RANGE.min), rubles(RANGE.max)));
    }
    const draft = { ...creditDraft.of(ctx), amountKopecks: Number(amount) };
    if (draft.note !== undefined) return showSummary(ctx, draft);
    await creditDraft.keep(ctx, draft);
    return askNote(ctx);
  });

  async function askNote(ctx: BotContext, problem?: string): Promise<void> {
    await ctx.talk.ask('op.note', [], {
      text: withNote(problem, wordsOf(ctx, creditDraft.of(ctx)).askNote),
      rows: [[cancel(ctx, creditDraft.of(ctx))]],
    });
  }

  area.onText('op.note', async (ctx, text) => {
    const note = readLine(text, MAX_NOTE);
    return note === undefined
      ? askNote(ctx, ctx.texts.shared.inputs.textLength)
      : showSummary(ctx, { ...creditDraft.of(ctx), note });
  });

  async function showSummary(ctx: BotContext, draft: CreditDraft): Promise<void> {
    const { accountId, amountKopecks, note } = draft;
    const account = await findAccount(deps.db, accountId);
    if (account === undefined || amountKopecks === undefined || note === undefined) {
      throw new StaleButton('a credit without its parts');
    }
    const nonce = newNonce();
    await creditDraft.keep(ctx, { ...draft, nonce });
    await ctx.talk.expectNothing();
    const amount = ctx.formats.rubles(BigInt(amountKopecks));
    await ctx.talk.show({
      text: wordsOf(ctx, draft).summary({ accountId, name: account.name, amount, note }),
      rows: [[press(ctx.texts.common.yes, 'op.cyes', nonce), cancel(ctx, draft)]],
    });
  }

  area.onPress('op.cyes', async (ctx, given) => {
    const { accounts } = ctx.texts.shared.operator;
    const { accountId, amountKopecks, note, requestId, nonce, isDebit } = creditDraft.of(ctx);
    if (nonce !== nonceIn(given) || amountKopecks === undefined || note === undefined) {
      throw new StaleButton('the summary of another credit');
    }
    const amount = ctx.formats.rubles(BigInt(amountKopecks));
    const decision = { ...by(ctx), accountId, amountKopecks: BigInt(amountKopecks), key: `bot:${nonce}` };
    // Two operators credit a request once.
    const request = requestId === undefined ? {} : { key: `deposit-request:${requestId}`, depositRequestId: requestId };
    const outcome =
      isDebit === true
        ? await debitAccount(deps, { ...decision, reason: note })
        : await creditAccount(deps, { ...decision, note, ...request });
    switch (outcome.kind) {
      case 'credited':
      case 'debited':
        ctx.talk.toast(accounts[outcome.kind](amount));
        break;
      case 'already_credited':
      case 'already_debited':
        ctx.talk.toast(outcome.kind === 'already_credited' ? accounts.alreadyCredited : accounts.alreadyDebited);
        break;
      case 'key_taken':
      case 'request_closed':
        ctx.talk.toast(ctx.texts.operator.credit.requestClosed, { alert: true });
        break;
      case 'account_not_found':
        return ctx.talk.toast(ctx.texts.operator.gone);
      case 'invalid_amount':
        return askAmount(ctx, ctx.texts.shared.inputs.wrongAmount);
    }
    return showAccount(deps, ctx, accountId);
  });
  return area;
}

const wordsOf = ({ texts }: BotContext, { isDebit }: CreditDraft) =>
  isDebit === true ? texts.operator.debit : texts.operator.credit;

const cancel = ({ texts }: BotContext, { accountId, requestId }: CreditDraft) =>
  requestId === undefined
    ? press(texts.common.cancel, 'op.a', accountId)
    : press(texts.common.cancel, 'op.dep', requestId);
