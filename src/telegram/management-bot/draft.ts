import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type BotContext, StaleButton } from './bot-context.ts';

/** The stored answers of one wizard. */
export interface WizardDraft<Draft> {
  /** Returns undefined when no draft is stored, or one of another version. */
  find(ctx: BotContext): Draft | undefined;
  /** Like `find`, but a missing draft means that the button is stale. */
  of(ctx: BotContext): Draft;
  keep(ctx: BotContext, draft: Draft): Promise<void>;
}

export function wizardDraft<Schema extends TSchema>(wizard: string, schema: Schema): WizardDraft<Static<Schema>> {
  const find = ({ talk }: BotContext): Static<Schema> | undefined => {
    const draft = talk.draftOf(wizard);
    return Value.Check(schema, draft) ? draft : undefined;
  };
  return {
    find,
    of(ctx) {
      const draft = find(ctx);
      if (draft === undefined) throw new StaleButton(`no draft of the wizard ${wizard}`);
      return draft;
    },
    keep: ({ talk }, draft) => talk.keepDraft(wizard, draft),
  };
}
