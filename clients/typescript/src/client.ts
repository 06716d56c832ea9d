import { createLinks } from './client-links.ts';
import { createOrders } from './client-orders.ts';
import { createWebhooks } from './client-webhooks.ts';
import { everyItem } from './pages.ts';
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  createTransport,
  type Input,
  type Output,
} from './transport.ts';

type Report = Exclude<Output<'getStatistic'>, string>;
type StatisticQuery = Input<'getStatistic'>['query'];

/** Returns a client with every endpoint of the service. Inputs and responses have the field names of the HTTP API. */
export function createClient(options: ClientOptions) {
  const call = createTransport(options);
  return {
    /** Returns when the service is running. */
    health: (options?: CallOptions) => call('getHealth', {}, options),
    /** Returns when the service can handle requests. Throws while its database is unavailable. */
    ready: (options?: CallOptions) => call('getReady', {}, options),

    /** Returns the tasks of a user: `ok` lets the user in, `warning` comes with tasks to show. */
    getSponsors: (body: Input<'postGetSponsors'>['body'], options?: CallOptions) =>
      call('postGetSponsors', { body }, options),
    /** Checks whether the user subscribed, and credits the reward. */
    confirmSubscription: (body: Input<'postConfirmSubscription'>['body'], options?: CallOptions) =>
      call('postConfirmSubscription', { body }, options),
    /** Confirms several tasks at once. */
    confirmSubscriptions: (body: Input<'postConfirmSubscriptions'>['body'], options?: CallOptions) =>
      call('postConfirmSubscriptions', { body }, options),
    /** Returns the stored statuses of tasks, without a check at Telegram. */
    userSubscriptions: (body: Input<'postUserSubscriptions'>['body'], options?: CallOptions) =>
      call('postUserSubscriptions', { body }, options),
    /** Returns why this user gets these tasks, or none. */
    explain: (body: Input<'postExplain'>['body'], options?: CallOptions) => call('postExplain', { body }, options),
    /** Accepts or rejects a subscription from the advertiser's side; see `signPostback`. */
    postback: (body: Input<'postPostback'>['body'], options?: CallOptions) => call('postPostback', { body }, options),

    /** Returns available and held money, and your bots. */
    getBalance: (options?: CallOptions) => call('postGetBalance', {}, options),
    /** Returns the figures of the exchange: 7 days, 30 days, all time. Beta. */
    platformStats: (options?: CallOptions) => call('getPlatformStats', {}, options),
    statistic: createStatistic(call),
    tokens: {
      /** Returns the scopes of the client's token. */
      current: (options?: CallOptions) => call('getToken', {}, options),
      /** Returns a new token for a new client. The old one works for `grace_hours` more. */
      rotate: (body: Input<'postTokenRotate'>['body'] = {}, options?: CallOptions) =>
        call('postTokenRotate', { body }, options),
    },
    /** Beta. */
    payouts: {
      /** Returns one page, newest first. */
      list: (query: Input<'getPayouts'>['query'] = {}, options?: CallOptions) => call('getPayouts', { query }, options),
      /** Iterates over all pages. */
      all: (query: Input<'getPayouts'>['query'] = {}, options?: CallOptions) =>
        everyItem(
          (cursor = query.cursor) => call('getPayouts', { query: { ...query, cursor } }, options),
          ({ payouts }) => payouts,
        ),
    },
    /** Beta. */
    contests: {
      /** Returns the contests, your rank and the time left. */
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

/** One method per action of `/statistic`, each with the type of its response. */
function createStatistic(call: Call) {
  const report = async <Key extends string>(query: StatisticQuery, options: CallOptions | undefined) =>
    (await call('getStatistic', { query }, options)) as Extract<Report, Record<Key, unknown>>;
  return {
    /** Returns your bots with their subscribers and revenue. */
    allBots: (options?: CallOptions) => report<'bots'>({ action: 'allbots' }, options),
    /** Returns the latest subscriptions of one bot; by default of the token's bot. */
    bots: (query: Pick<StatisticQuery, 'bot_id'> = {}, options?: CallOptions) =>
      report<'bot'>({ ...query, action: 'bots' }, options),
    /** Returns your orders. */
    allAds: (options?: CallOptions) => report<'orders'>({ action: 'allads' }, options),
    /** Returns the latest subscriptions of one of your orders. */
    ads: (query: { readonly order_id: string | number }, options?: CallOptions) =>
      report<'order'>({ ...query, action: 'ads' }, options),
    /** Returns any of these as an HTML table. */
    html: async (query: Omit<StatisticQuery, 'output_format'> = {}, options?: CallOptions) =>
      (await call('getStatistic', { query: { ...query, output_format: 'html' } }, options)) as string,
  };
}
