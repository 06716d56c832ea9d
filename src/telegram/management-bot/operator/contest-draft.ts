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
  /** Names the contest that the last summary asked about. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
export type ContestDraft = Omit<Static<typeof StoredDraft>, 'wizard'>;

/** What was gathered so far. Another wizard's draft, or one that does not fit, is none. */
export function contestDraftOf({ talk }: BotContext): ContestDraft {
  const draft = talk.draftOf('contest');
  return Value.Check(StoredDraft, draft) ? draft : {};
}

export async function keepContestDraft({ talk }: BotContext, draft: ContestDraft): Promise<void> {
  await talk.keepDraft({ ...draft, wizard: 'contest' });
}
