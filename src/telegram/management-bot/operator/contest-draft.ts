import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { BotContext } from '../bot-context.ts';

const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });

const StoredDraft = Type.Object({
  wizard: Type.Literal('contest'),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  startsAtMs: Type.Optional(Time),
  endsAtMs: Type.Optional(Time),
  /** Kopecks by place. */
  prizes: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 100 })),
  /** The idempotency key in the last summary. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
export type ContestDraft = Omit<Static<typeof StoredDraft>, 'wizard'>;

/** Returns the draft, or an empty one when the stored draft does not fit the schema. */
export function contestDraftOf({ talk }: BotContext): ContestDraft {
  const draft = talk.draftOf('contest');
  return Value.Check(StoredDraft, draft) ? draft : {};
}

export async function keepContestDraft({ talk }: BotContext, draft: ContestDraft): Promise<void> {
  await talk.keepDraft({ ...draft, wizard: 'contest' });
}
