import { EMPTY_LINE, lines } from '../../../core/html.ts';
import { changeOwnOrder, excludeSource, findOwnOrder } from '../../../modules/orders/index.ts';
import { type Retention, reportSources, type SourceReport } from '../../../modules/statistics/index.ts';
import { qualityLine } from '../../../texts/quality.ts';
import { Area, type BotContext, choiceIn, idIn, pageIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press } from '../screen.ts';

/** The bots that bring an order its subscribers, with retention and exclusion. */
export function orderSourcesArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('o.src', (ctx, id, page) => show(ctx, idIn(id), pageIn(page)));

  area.onPress('o.excl', async (ctx, id, bot, to, page) => {
    const [orderId, botId] = [idIn(id), idIn(bot)];
    const isExcluded = choiceIn(to, ['out', 'in']) === 'out';
    const sources = await sourcesOf(ctx, orderId);
    // Rejects forged data: only a source of this order can be excluded.
    if (!sources.some((source) => source.botId === botId)) throw new StaleButton('no source of this order');
    await changeOwnOrder(deps, { accountId: ctx.person.accountId, orderId }, (tx) =>
      excludeSource(tx, { orderId, botId, isExcluded }),
    );
    const { sources: texts } = ctx.texts.advertiser;
    ctx.talk.toast(isExcluded ? texts.excluded : texts.included);
    await show(ctx, orderId, pageIn(page));
  });

  async function sourcesOf(ctx: BotContext, orderId: number): Promise<SourceReport[]> {
    const { id } = await findOwnOrder(deps.db, { accountId: ctx.person.accountId, orderId });
    return reportSources(deps.reports, { orderId: id, now: deps.clock.now() });
  }

  async function show(ctx: BotContext, orderId: number, number: number): Promise<void> {
    const { sources: texts } = ctx.texts.advertiser;
    const all = await sourcesOf(ctx, orderId);
    const page = pageOf(all.slice(number * PAGE_SIZE), number);
    await ctx.talk.show({
      text: lines(
        texts.title({ id: orderId }),
        EMPTY_LINE,
        ...(page.items.length === 0 ? [texts.none] : page.items.map((source) => lineOf(ctx, source))),
      ),
      rows: [
        ...page.items.map(({ botId, username, isExcluded }) => [
          isExcluded
            ? press(texts.include({ username }), 'o.excl', orderId, botId, 'in', number)
            : press(texts.exclude({ username }), 'o.excl', orderId, botId, 'out', number),
        ]),
        arrows(page, 'o.src', orderId),
        [press(ctx.texts.common.back, 'order', orderId)],
      ],
    });
  }
  return area;
}

function lineOf({ texts, formats, person }: BotContext, source: SourceReport) {
  const { line, tooEarly } = texts.advertiser.sources;
  const share = ({ eligible, kept }: Retention): string =>
    eligible === 0 ? tooEarly : formats.percent((kept / eligible) * 100);
  return line({
    username: source.username,
    isExcluded: source.isExcluded,
    counted: formats.count(source.counted),
    reversed: formats.count(source.reversed),
    spent: formats.rubles(source.spentKopecks),
    afterOneDay: share(source.afterOneDay),
    afterSevenDays: share(source.afterSevenDays),
    quality: source.score === null ? undefined : qualityLine(person.language, source),
  });
}
