import { ApiError } from '../../../core/errors.ts';
import { clip, EMPTY_LINE, lines } from '../../../core/html.ts';
import { readFunds } from '../../../modules/accounts/index.ts';
import { BOT_TOKEN_PURPOSE, placeOrder, type RequestedResource, rewardFor } from '../../../modules/orders/index.ts';
import { estimateAudience } from '../../../modules/tasks/index.ts';
import { Area, type BotContext, newNonce, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { inPairs, press } from '../screen.ts';
import { describeFilters } from './filters/describe-filters.ts';
import { audienceInWords, knowledgeInWords } from './filters/filter-screens.ts';
import { draftsOf, keepDrafts, nextStep, type OrderDraft, orderDraftOf } from './order-draft.ts';
import { hoursLabel } from './timetable.ts';
import type { ShowStep, StepScreen, Wizard } from './wizard.ts';
import { botToAdd, chatRefusal, inspectFor } from './wizard-resource.ts';
import { holdLabel } from './wizard-terms.ts';

const HOUR_SECONDS = 60 * 60;

/** A draft with every answer. */
type Finished = Required<Omit<OrderDraft, 'check' | 'foundTitle' | 'paceEvenly'>> & Pick<OrderDraft, 'paceEvenly'>;

function finished(draft: OrderDraft): Finished | undefined {
  return nextStep(draft) === 'summary' ? (draft as Finished) : undefined;
}

/** The summary with the total price. */
export const summarySteps = (deps: ManagementBotDeps) =>
  ({
    async summary(ctx, draft) {
      const order = finished(draft);
      if (order === undefined) throw new StaleButton('a summary of what is not complete');
      return summaryScreen(deps, ctx, order);
    },
  }) satisfies Record<string, ShowStep>;

async function summaryScreen(deps: ManagementBotDeps, ctx: BotContext, order: Finished): Promise<StepScreen> {
  const { texts, formats } = ctx;
  const { summary, change } = texts.advertiser.wizard;
  const price = BigInt(order.priceKopecks);
  const audience = await estimateAudience(
    { db: deps.reports, clock: deps.clock },
    { filters: order.filters, priceKopecks: price },
  );
  const total = audience.chargeKopecks * BigInt(order.quantity);
  const { withdrawableKopecks: balance } = await readFunds(deps.db, ctx.person.accountId);
  const isEnough = balance >= total;
  const terms = texts.advertiser.common.terms({
    limit: order.dailyLimit === null ? undefined : formats.count(order.dailyLimit),
    isEven: order.paceEvenly ?? false,
    hours: hoursLabel(ctx, order.hours),
    hold: holdLabel(ctx, order.hold.hours),
    refund: order.hold.refund,
    filters: describeFilters(ctx, order.filters),
  });
  return {
    text: lines(
      summary.what({ title: clip(order.title, 128), link: order.link }),
      summary.price({
        price: formats.rubles(price),
        reward: formats.rubles(rewardFor(price, deps.publisherSharePercent)),
        charge: formats.rubles(audience.chargeKopecks),
        count: formats.count(order.quantity),
      }),
      terms,
      audienceInWords(ctx, audience),
      knowledgeInWords(deps, ctx, { filters: order.filters, priceKopecks: price, audience }),
      EMPTY_LINE,
      summary.total({ total: formats.rubles(total), balance: formats.rubles(balance) }),
      isEnough ? undefined : summary.missing({ missing: formats.rubles(total - balance) }),
      deps.isModerated && isEnough ? summary.moderated : undefined,
      deps.isModerated && deps.operatorIds.size === 0 ? summary.noOperators : undefined,
    ),
    rows: [
      isEnough
        ? [press(summary.create({ total: formats.rubles(total) }), 'o.create', newNonce())]
        : [press(summary.deposit, 'bal.deposit'), press(texts.common.refresh, 'o.step', 'summary')],
      ...inPairs(
        (['title', 'price', 'quantity', 'limit', 'hours', 'hold', 'users', 'kind'] as const).map((step) =>
          press(change[step], 'o.step', step),
        ),
      ),
    ],
    hasOwnWay: true,
  };
}

/** Creates the order. The nonce identifies one shown summary, so that repeated presses create one order. */
export function summaryArea(
  deps: ManagementBotDeps,
  wizard: Wizard,
  showOrder: (ctx: BotContext, orderId: number) => Promise<void>,
): Area {
  const area = new Area();
  area.onPress('o.create', async (ctx, nonce = '') => {
    const { created } = draftsOf(ctx);
    // The button was pressed again.
    if (created !== undefined && created.nonce === nonce) return showOrder(ctx, created.orderId);
    const draft = orderDraftOf(ctx);
    const order = finished(draft);
    if (order === undefined || !/^[\w-]{8}$/.test(nonce)) return wizard.goTo(ctx, nextStep(draft));
    const refusal = await ownershipRefusal(ctx, order);
    if (refusal !== undefined) return wizard.goTo(ctx, 'resource', refusal);
    try {
      const orderId = await create(ctx, order, nonce);
      await keepDrafts(ctx, { order: undefined, created: { nonce, orderId } });
      ctx.talk.toast(ctx.texts.advertiser.wizard.summary.created);
      return await showOrder(ctx, orderId);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The summary shows the missing amount.
      if (error.code === 'insufficient_funds') return wizard.goTo(ctx, 'summary');
      if (error.code !== 'resource_refused') throw error;
      return wizard.goTo(ctx, 'resource', refusalText(ctx, order, await botToAdd(deps, ctx)));
    }
  });

  /** Checks again that the person is an administrator: days may pass between choosing a chat and paying. */
  async function ownershipRefusal(ctx: BotContext, { resource }: Finished): Promise<string | undefined> {
    if (resource.type !== 'channel') return undefined;
    const found = await inspectFor(deps, ctx, resource.chatId);
    return found.kind === 'ready' ? undefined : chatRefusal(ctx, found, await botToAdd(deps, ctx));
  }

  function create(ctx: BotContext, order: Finished, nonce: string): Promise<number> {
    return placeOrder(deps, {
      accountId: ctx.person.accountId,
      key: `bot:${nonce}`,
      request: order,
      resource: resourceOf(deps, order),
      terms: {
        name: order.title,
        title: order.title,
        priceKopecks: BigInt(order.priceKopecks),
        quantity: order.quantity,
        dailyLimit: order.dailyLimit,
        paceEvenly: order.dailyLimit !== null && order.paceEvenly === true,
        activeHours: order.hours,
        holdSeconds: order.hold.hours * HOUR_SECONDS,
        refund: order.hold.refund,
        filters: order.filters,
      },
    });
  }
  return area;
}

function resourceOf({ secrets }: ManagementBotDeps, { resource, link }: Finished): RequestedResource {
  switch (resource.type) {
    case 'channel':
      return { type: 'channel', link, chatId: resource.chatId };
    case 'bot': {
      const sealed = Buffer.from(resource.sealedToken, 'base64');
      return { type: 'bot', link, botToken: secrets.decrypt(BOT_TOKEN_PURPOSE, sealed) };
    }
    case 'external':
      return { type: 'bot', link };
  }
}

/** Returns why the resource no longer fits. */
function refusalText(ctx: BotContext, { resource, title }: Finished, bot: string): string {
  const { notAdmin, tokenRefused } = ctx.texts.shared.orders.inputs;
  if (resource.type === 'channel') return notAdmin({ bot, title: clip(title, 100) });
  return tokenRefused;
}
