import { html, lines } from '../../../core/html.ts';
import { readRubles } from '../../../core/locale.ts';
import type { Kopecks } from '../../../core/money.ts';
import { readFunds } from '../../../modules/accounts/index.ts';
import { checkInvoice, createDepositInvoice, requestDeposit } from '../../../modules/payouts/index.ts';
import { Area, type BotContext, choiceIn, idIn, newNonce, nonceIn, StaleButton, withSupport } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { link, press, withNote } from '../screen.ts';
import { toBalance } from './balance-screen.ts';
import { notifyOperators } from './notify-operators.ts';

/** Catches typing errors; not a rule of the exchange. */
const RANGE = { min: 100n, max: 1_000_000_000n };
const USUAL: readonly Kopecks[] = [50_000n, 100_000n, 500_000n];

/** Deposits. Every menu links to `bal.deposit`. It keeps no draft, so that the draft of a waiting wizard survives. */
export function depositArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  const ways = WAYS.filter((way) => isOpen(deps, way));

  area.onPress('bal.deposit', async (ctx, chosen) => {
    const way = chosen === undefined ? ways[0] : openWay(chosen);
    if (way !== undefined) return ask(ctx, way);
    const text = lines(ctx.texts.balance.noWay, ctx.support === undefined ? undefined : html`${ctx.support}`);
    return ctx.talk.show({ text, rows: [[toBalance(ctx)]] });
  });

  async function ask(ctx: BotContext, way: DepositWay, problem?: string): Promise<void> {
    const { balance, common } = ctx.texts;
    const nonce = newNonce();
    await ctx.talk.ask('bal.sum', [way], {
      text: withNote(problem, balance.askDeposit[way]),
      rows: [
        USUAL.map((amount) => press(ctx.formats.rubles(amount), 'bal.put', way, amount, nonce)),
        ...ways.filter((other) => other !== way).map((other) => [press(balance.otherWay[other], 'bal.deposit', other)]),
        [press(common.cancel, 'balance')],
      ],
    });
  }

  area.onText('bal.sum', async (ctx, text, chosen) => {
    const way = openWay(chosen);
    const amount = readRubles(text);
    if (amount === undefined) return ask(ctx, way, ctx.texts.shared.inputs.wrongAmount);
    if (amount >= RANGE.min && amount <= RANGE.max) return payIn(deps, ctx, { way, amount, key: ctx.updateKey });
    const { rubles } = ctx.formats;
    return ask(ctx, way, ctx.texts.shared.inputs.range(rubles(RANGE.min), rubles(RANGE.max)));
  });

  area.onPress('bal.put', async (ctx, chosen, kopecks, nonce) => {
    const [way, amount] = [openWay(chosen), usualIn(kopecks)];
    if (way !== 'operator') return payIn(deps, ctx, { way, amount, key: `press:${nonceIn(nonce)}:${amount}` });
    // A request makes work for an operator, so a slip of the finger must not file one.
    const { balance, common } = ctx.texts;
    return ctx.talk.show({
      text: balance.confirmDeposit({ amount: ctx.formats.rubles(amount) }),
      rows: [[press(common.yes, 'bal.file', amount, nonceIn(nonce)), press(common.no, 'bal.deposit', way)]],
    });
  });
  // All amounts of one question share the key, so that two taps file one request.
  area.onPress('bal.file', (ctx, kopecks, nonce) =>
    payIn(deps, ctx, { way: openWay('operator'), amount: usualIn(kopecks), key: `press:${nonceIn(nonce)}` }),
  );

  area.onPress('bal.check', (ctx, invoiceId) => showInvoice(deps, ctx, idIn(invoiceId)));

  function openWay(chosen: string | undefined): DepositWay {
    return choiceIn(chosen, ways);
  }
  return area;
}

function isOpen({ sandbox, payouts, operatorIds }: ManagementBotDeps, way: DepositWay): boolean {
  switch (way) {
    case 'play':
      return sandbox !== undefined;
    case 'crypto':
      return payouts.cryptoPay !== undefined;
    case 'operator':
      return operatorIds.size > 0;
  }
}

/** Reads one of the offered amounts. Data can be forged. */
function usualIn(kopecks: string | undefined): Kopecks {
  const amount = USUAL.find((usual) => usual === BigInt(idIn(kopecks)));
  if (amount === undefined) throw new StaleButton('an amount that is not shown');
  return amount;
}

/** Ways to deposit, the simplest first. */
const WAYS = ['play', 'crypto', 'operator'] as const;
type DepositWay = (typeof WAYS)[number];

/** A repeated `key` pays once. An invoice needs none: an unpaid second one costs nothing. */
async function payIn(
  deps: ManagementBotDeps,
  ctx: BotContext,
  { way, amount, key }: { readonly way: DepositWay; readonly amount: Kopecks; readonly key: string },
): Promise<void> {
  const { accountId } = ctx.person;
  await ctx.talk.expectNothing();
  if (way === 'crypto') return makeInvoice(deps, ctx, amount);
  if (way === 'operator') return askOperator(deps, ctx, amount, key);
  if (deps.sandbox === undefined) throw new StaleButton('play money where there is none');
  await deps.sandbox.deposit({ accountId, amountKopecks: amount, key: `bot:${accountId}:${key}` });
  return showDeposited(deps, ctx, amount);
}

async function showDeposited(deps: ManagementBotDeps, ctx: BotContext, amount: Kopecks): Promise<void> {
  const { rubles } = ctx.formats;
  const available = rubles((await readFunds(deps.db, ctx.person.accountId)).availableKopecks);
  await ctx.talk.show({
    text: ctx.texts.balance.deposited({ amount: rubles(amount), available }),
    rows: [[toBalance(ctx), press(ctx.texts.common.home, 'home')]],
  });
}

async function makeInvoice({ payouts }: ManagementBotDeps, ctx: BotContext, amountKopecks: Kopecks): Promise<void> {
  const { balance } = ctx.texts;
  const { rubles, moment } = ctx.formats;
  const outcome = await createDepositInvoice(payouts, { accountId: ctx.person.accountId, amountKopecks });
  if (outcome.kind !== 'created') {
    return ctx.talk.show({
      text: html`⚠️ ${balance.providerAway}`,
      rows: [[press(balance.deposit, 'bal.deposit'), toBalance(ctx)]],
    });
  }
  const amount = rubles(amountKopecks);
  await ctx.talk.show({
    text: balance.invoice({ amount, until: moment(outcome.expiresAt) }),
    rows: [
      [link(balance.pay({ amount }), outcome.url)],
      [press(balance.check, 'bal.check', outcome.invoiceId)],
      [toBalance(ctx)],
    ],
  });
}

async function showInvoice(deps: ManagementBotDeps, ctx: BotContext, invoiceId: number): Promise<void> {
  const { balance } = ctx.texts;
  const outcome = await checkInvoice(deps.payouts, { accountId: ctx.person.accountId, invoiceId });
  switch (outcome.kind) {
    case 'not_found':
      throw new StaleButton('an invoice of another account');
    case 'pending':
      return ctx.talk.toast(balance.notPaidYet, { alert: true });
    case 'expired':
      return ctx.talk.toast(balance.invoiceExpired, { alert: true });
    case 'paid':
      return showDeposited(deps, ctx, outcome.invoice.amountKopecks);
  }
}

async function askOperator(
  deps: ManagementBotDeps,
  ctx: BotContext,
  amountKopecks: Kopecks,
  key: string,
): Promise<void> {
  const { balance, access } = ctx.texts;
  const { accountId, name, telegramUserId: userId } = ctx.person;
  const outcome = await requestDeposit(deps, { accountId, amountKopecks, key });
  switch (outcome.kind) {
    case 'requested': {
      // A repeat shows the request that was filed first.
      const { id, amountKopecks: filed } = outcome.request;
      await ctx.talk.show({
        text: balance.depositAsked({ id, amount: ctx.formats.rubles(filed), accountId }),
        rows: [[toBalance(ctx)]],
      });
      if (outcome.isRepeat) return;
      return notifyOperators(deps, ({ balance: { toOperators } }, { rubles }) => ({
        text: toOperators.deposit({ id, amount: rubles(amountKopecks), accountId, name, userId }),
        rows: [[press(toOperators.credit, 'op.dep', id)]],
      }));
    }
    case 'too_many_open':
      return ctx.talk.show({ text: html`⚠️ ${balance.tooManyOpen(outcome)}`, rows: [[toBalance(ctx)]] });
    case 'account_banned':
      return ctx.talk.show({ text: html`${withSupport(ctx, access.banned)}`, rows: [] });
    case 'invalid_amount':
      throw new StaleButton('an amount of nothing');
  }
}
