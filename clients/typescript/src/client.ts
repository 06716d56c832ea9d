import { createLinks } from './client-links.ts';
import { createOrders } from './client-orders.ts';
import { createWebhooks } from './client-webhooks.ts';
import { everyItem } from './pages.ts';
import {
  type Answer,
  type Call,
  type CallOptions,
  type ClientOptions,
  createTransport,
  type Input,
} from './transport.ts';

type Report = Exclude<Answer<'getStatistic'>, string>;
type StatisticQuery = Input<'getStatistic'>['query'];

/** The whole interface of the service. Bodies and answers have the names of the wire. */
export function createClient(options: ClientOptions) {
  const call = createTransport(options);
  return {
    /** Is the service alive? */
    health: (options?: CallOptions) => call('getHealth', {}, options),
    /** Can it serve requests? Throws while its database is away. */
    ready: (options?: CallOptions) => call('getReady', {}, options),

    /** Sponsor tasks for a user: `ok` lets the user in, `warning` comes with tasks to show. */
    getSponsors: (body: Input<'postGetSponsors'>['body'], options?: CallOptions) =>
      call('postGetSponsors', { body }, options),
    /** The user says they subscribed to one: checks and credits. */
    confirmSubscription: (body: Input<'postConfirmSubscription'>['body'], options?: CallOptions) =>
      call('postConfirmSubscription', { body }, options),
    /** The same for several tasks at once. */
    confirmSubscriptions: (body: Input<'postConfirmSubscriptions'>['body'], options?: CallOptions) =>
      call('postConfirmSubscriptions', { body }, options),
    /** Why does this user get these tasks, or none? */
    explain: (body: Input<'postExplain'>['body'], options?: CallOptions) => call('postExplain', { body }, options),
    /** The advertiser's side confirms or rejects a user; see `signPostback`. */
    postback: (body: Input<'postPostback'>['body'], options?: CallOptions) => call('postPostback', { body }, options),

    /** Available and held money, and your bots. */
    getBalance: (options?: CallOptions) => call('postGetBalance', {}, options),
    /** The exchange in figures: 7 days, 30 days, all time. Beta. */
    platformStats: (options?: CallOptions) => call('getPlatformStats', {}, options),
    statistic: createStatistic(call),
    tokens: {
      /** What the token of this client may do. */
      current: (options?: CallOptions) => call('getToken', {}, options),
      /** A new token; make a new client with it. The old one works on for `grace_hours`. */
      rotate: (body: Input<'postTokenRotate'>['body'] = {}, options?: CallOptions) =>
        call('postTokenRotate', { body }, options),
    },
    /** Beta. */
    payouts: {
      /** One page, newest first. */
      list: (query: Input<'getPayouts'>['query'] = {}, options?: CallOptions) => call('getPayouts', { query }, options),
      /** All of them, page by page. */
      all: (query: Input<'getPayouts'>['query'] = {}, options?: CallOptions) =>
        everyItem(
          (cursor = query.cursor) => call('getPayouts', { query: { ...query, cursor } }, options),
          ({ payouts }) => payouts,
        ),
    },
    /** Beta. */
    contests: {
      /** Contests, your rank and the time left. */
      list: (options?: CallOptions) => call('getContests', {}, options),
    },
    /** Beta. */
    orders: createOrders(call),
    /** Beta. */
    links: createLinks(call),
    /** Beta. */
    webhooks: createWebhooks(call),
  };
}

export type SponsorgateClient = ReturnType<typeof createClient>;

/** Each action of `/statistic` by its name, with the shape that it answers. */
function createStatistic(call: Call) {
  const report = async <Key extends string>(query: StatisticQuery, options: CallOptions | undefined) =>
    (await call('getStatistic', { query }, options)) as Extract<Report, Record<Key, unknown>>;
  return {
    /** Your bots with their subscribers and revenue. */
    allBots: (options?: CallOptions) => report<'bots'>({ action: 'allbots' }, options),
    /** The latest subscriptions of one bot; of the token's own unless named. */
    bots: (query: Pick<StatisticQuery, 'bot_id'> = {}, options?: CallOptions) =>
      report<'bot'>({ ...query, action: 'bots' }, options),
    /** Your advertising orders. */
    allAds: (options?: CallOptions) => report<'orders'>({ action: 'allads' }, options),
    /** The latest subscriptions of one order of yours. */
    ads: (query: { readonly order_id: string | number }, options?: CallOptions) =>
      report<'order'>({ ...query, action: 'ads' }, options),
    /** Any of these as a ready HTML table. */
    html: async (query: Omit<StatisticQuery, 'output_format'> = {}, options?: CallOptions) =>
      (await call('getStatistic', { query: { ...query, output_format: 'html' } }, options)) as string,
  };
}
