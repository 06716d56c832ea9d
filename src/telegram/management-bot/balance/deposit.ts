import { readRubles } from '../../../core/locale.ts';
import type { Kopecks } from '../../../core/money.ts';
import { Area, type BotContext, choiceIn, idIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { newNonce, nonceIn } from '../nonce.ts';
import { press, withNote } from '../screen.ts';
import { toBalance } from './balance-screen.ts';
import { type DepositWay, payIn, showInvoice, WAYS } from './pay-in.ts';

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
    return ctx.talk.show({ text: ctx.texts.balance.noWay, rows: [[toBalance(ctx)]] });
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
    const amount = USUAL.find((usual) => usual === BigInt(idIn(kopecks)));
    if (amount === undefined) throw new StaleButton('an amount that is not shown');
    await payIn(deps, ctx, { way: openWay(chosen), amount, key: `press:${nonceIn(nonce)}:${amount}` });
  });

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
