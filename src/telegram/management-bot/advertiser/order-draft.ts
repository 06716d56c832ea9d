import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Filters, FiltersSchema } from '../../../modules/targeting/index.ts';
import { type BotContext, StaleButton } from '../bot-context.ts';

/** The steps of a new order, in order. */
export const STEPS = [
  'kind',
  'check',
  'resource',
  'link',
  'title',
  'price',
  'quantity',
  'limit',
  'pace',
  'hours',
  'hold',
  'users',
  'summary',
] as const;
export type Step = (typeof STEPS)[number];

const oneOf = <const T extends string>(...values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: values });
const count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const AnyFilters = Type.Unsafe<Filters>(FiltersSchema);

/** The advertised resource. */
const DraftResource = Type.Union([
  Type.Object({ type: Type.Literal('channel'), chatId: Type.Integer(), isPublic: Type.Boolean() }),
  /** The token is encrypted because drafts are stored in the database. */
  Type.Object({ type: Type.Literal('bot'), sealedToken: Type.String({ maxLength: 400 }) }),
  Type.Object({ type: Type.Literal('external') }),
]);

const OrderDraftSchema = Type.Object({
  step: oneOf(...STEPS),
  kind: Type.Optional(oneOf('channel', 'bot')),
  check: Type.Optional(oneOf('token', 'external')),
  resource: Type.Optional(DraftResource),
  /** The name in Telegram, proposed as the title. */
  foundTitle: Type.Optional(Type.String({ maxLength: 256 })),
  link: Type.Optional(Type.String({ maxLength: 256 })),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  priceKopecks: Type.Optional(count(1, 100_000_000_00)),
  quantity: Type.Optional(count(1, 10_000_000)),
  dailyLimit: Type.Optional(Type.Union([count(1, 10_000_000), Type.Null()])),
  paceEvenly: Type.Optional(Type.Boolean()),
  hours: Type.Optional(Type.Union([Type.Array(count(0, 23), { minItems: 1, maxItems: 24 }), Type.Null()])),
  hold: Type.Optional(Type.Object({ hours: count(0, 720), refund: Type.Boolean() })),
  filters: Type.Optional(AnyFilters),
});
export type OrderDraft = Static<typeof OrderDraftSchema>;
export type DraftChange = { readonly [K in keyof OrderDraft]?: OrderDraft[K] | undefined };

/** Changed filters of an existing order that are not applied yet. */
const FilterEditSchema = Type.Object({ orderId: Type.Integer(), filters: AnyFilters });

/** The result of “Create”: a second press shows the same order. */
const CreatedSchema = Type.Object({ nonce: Type.String({ maxLength: 32 }), orderId: Type.Integer() });

/** The unfinished work of an advertiser. */
export interface Drafts {
  readonly order?: OrderDraft;
  readonly edit?: Static<typeof FilterEditSchema>;
  readonly created?: Static<typeof CreatedSchema>;
}

export const ORDER_WIZARD = 'order';

/** Reads stored drafts; drops each part that does not fit the schema of this version. */
export function draftsIn(stored: unknown): Drafts {
  if (typeof stored !== 'object' || stored === null) return {};
  const { order, edit, created } = stored as Readonly<Record<string, unknown>>;
  return {
    ...(Value.Check(OrderDraftSchema, order) && { order }),
    ...(Value.Check(FilterEditSchema, edit) && { edit }),
    ...(Value.Check(CreatedSchema, created) && { created }),
  };
}

export function draftsOf({ talk }: Pick<BotContext, 'talk'>): Drafts {
  return draftsIn(talk.draftOf(ORDER_WIZARD));
}

/** Changes some of the drafts; undefined deletes one. */
export async function keepDrafts(
  { talk }: BotContext,
  change: { readonly [K in keyof Drafts]?: Drafts[K] | undefined },
): Promise<void> {
  await talk.keepDraft(ORDER_WIZARD, { ...draftsOf({ talk }), ...change });
}

/** Returns the draft of the new order. */
export function orderDraftOf({ talk }: BotContext): OrderDraft {
  const { order } = draftsOf({ talk });
  if (order === undefined) throw new StaleButton('a button of a draft that is gone');
  return order;
}

const IS_ASKED: { readonly [S in Step]?: (draft: OrderDraft) => boolean } = {
  check: ({ kind }) => kind === 'bot',
  link: ({ resource }) => resource?.type === 'channel' && !resource.isPublic,
  pace: ({ dailyLimit }) => typeof dailyLimit === 'number',
};

const IS_ANSWERED: { readonly [S in Step]: (draft: OrderDraft) => boolean } = {
  kind: ({ kind }) => kind !== undefined,
  check: ({ check }) => check !== undefined,
  resource: ({ resource }) => resource !== undefined,
  link: ({ link }) => link !== undefined,
  title: ({ title }) => title !== undefined,
  price: ({ priceKopecks }) => priceKopecks !== undefined,
  quantity: ({ quantity }) => quantity !== undefined,
  limit: ({ dailyLimit }) => dailyLimit !== undefined,
  pace: ({ paceEvenly }) => paceEvenly !== undefined,
  hours: ({ hours }) => hours !== undefined,
  hold: ({ hold }) => hold !== undefined,
  users: ({ filters }) => filters !== undefined,
  summary: () => false,
};

export const stepsOf = (draft: OrderDraft): Step[] => STEPS.filter((step) => IS_ASKED[step]?.(draft) ?? true);
export const isAnswered = (draft: OrderDraft, step: Step): boolean => IS_ANSWERED[step](draft);

/** Returns the first unanswered step, or the summary. */
export const nextStep = (draft: OrderDraft): Step =>
  stepsOf(draft).find((step) => !isAnswered(draft, step)) ?? 'summary';

export function stepBefore(draft: OrderDraft): Step | undefined {
  const steps = stepsOf(draft);
  return steps[steps.indexOf(draft.step) - 1];
}
