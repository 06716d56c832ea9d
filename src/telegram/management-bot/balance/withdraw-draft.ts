import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Kopecks } from '../../../core/money.ts';
import { readFunds } from '../../../modules/accounts/index.ts';
import type { PayoutMethod } from '../../../modules/payouts/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';

const WithdrawDraft = Type.Object({
  wizard: Type.Literal('payout'),
  method: Type.Optional(Type.Unsafe<PayoutMethod>({ type: 'string', enum: ['manual', 'crypto-pay'] })),
  amountKopecks: Type.Optional(Type.Integer({ minimum: 1 })),
  destination: Type.Optional(Type.String({ maxLength: 256 })),
  /** The idempotency key in the last summary: its button confirms only that summary. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
export type WithdrawDraft = Omit<Static<typeof WithdrawDraft>, 'wizard'>;

/** Returns the draft, or an empty one when the stored draft does not fit the schema. */
export function draftOf({ talk }: BotContext): WithdrawDraft {
  const draft = talk.draftOf('payout');
  return Value.Check(WithdrawDraft, draft) ? draft : {};
}

export async function keepDraft({ talk }: BotContext, draft: WithdrawDraft): Promise<void> {
  await talk.keepDraft({ ...draft, wizard: 'payout' });
}

export async function readWithdrawable({ db }: ManagementBotDeps, { person }: BotContext): Promise<Kopecks> {
  return (await readFunds(db, person.accountId)).withdrawableKopecks;
}
