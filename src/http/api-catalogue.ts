/** The description of an operation in the API reference. The schemas are defined at the route. */
export interface Introduction {
  readonly tag: Tag;
  readonly summary: string;
  /** A request body that works in a new sandbox; the tests send it. */
  readonly example?: unknown;
  /** Needs a token with beta access. */
  readonly isBeta?: boolean;
}

export const TAGS = {
  Tasks: 'Get tasks for a user, show them, confirm them.',
  Account: 'Balance, statistics, tokens, payouts, contests.',
  Orders: 'Buy subscribers. Filters are set in the management bot.',
  Links: 'Short links that redirect by country, city, device and system.',
  Webhooks: 'Signed events to your endpoint, at least once and in any order; `sequence` has their order.',
  Service: 'Needs no token.',
} as const;
type Tag = keyof typeof TAGS;

const LINK_EXAMPLE = {
  url: 'https://example.com/',
  name: 'Landing',
  geo: [{ countries: ['RU', 'KZ'], url: 'https://example.com/ru' }],
};

/** All documented operations. A test fails on a route without an entry and on an entry without a route. */
export const API_CATALOGUE: Readonly<Record<string, Introduction>> = {
  'GET /api/v1/health': { tag: 'Service', summary: 'Is the service alive?' },
  'GET /api/v1/ready': { tag: 'Service', summary: 'Can it serve requests? Queries the database' },
  'POST /api/v1/get-sponsors': {
    tag: 'Tasks',
    summary: 'Tasks for a user',
    example: { user_id: 100001, first_name: 'Анна', language_code: 'ru', is_premium: false, max_sponsors: 3 },
  },
  'POST /api/v1/confirm-subscription': {
    tag: 'Tasks',
    summary: 'Check the membership and credit the subscription',
    example: { user_id: 100001, ads_id: 3 },
  },
  'POST /api/v1/confirm-subscriptions': {
    tag: 'Tasks',
    summary: 'The same for several tasks at once',
    example: { user_id: 100001, ads_ids: [3, 6] },
  },
  'POST /api/v1/user-subscriptions': {
    tag: 'Tasks',
    summary: 'The stored statuses of tasks, without a check at Telegram',
    example: { user_id: 100001, ads_ids: [3, 6] },
  },
  'POST /api/v1/explain': {
    tag: 'Tasks',
    summary: 'Why does this user get these tasks, or none?',
    example: { user_id: 100003, language_code: 'en' },
  },
  'POST /api/v1/postback': {
    tag: 'Tasks',
    summary: "The advertiser's side confirms or rejects a user (signed, no token)",
  },
  'POST /api/v1/get-balance': { tag: 'Account', summary: 'Available and held money, and your bots', example: {} },
  'GET /statistic': { tag: 'Account', summary: 'Figures of your bots and orders, as JSON or as an HTML table' },
  'GET /api/v1/token': { tag: 'Account', summary: 'What the token in the request may do' },
  'POST /api/v1/token/rotate': { tag: 'Account', summary: 'Create a new token; the old one keeps working for a while' },
  'GET /api/v1/payouts': { tag: 'Account', summary: 'Your payouts, newest first', isBeta: true },
  'GET /api/v1/contests': { tag: 'Account', summary: 'Contests, your rank and the time left', isBeta: true },
  'GET /api/v1/platform-stats': {
    tag: 'Account',
    summary: 'Figures of the whole exchange: 7 days, 30 days, all time',
    isBeta: true,
  },
  'POST /api/v1/orders': {
    tag: 'Orders',
    summary: 'Create an order, paid from your balance',
    isBeta: true,
  },
  'GET /api/v1/orders': { tag: 'Orders', summary: 'Your orders, newest first', isBeta: true },
  'GET /api/v1/orders/:id': { tag: 'Orders', summary: 'One order: subscriptions, spending, remainder', isBeta: true },
  'POST /api/v1/orders/:id/pause': {
    tag: 'Orders',
    summary: 'Stop showing it; open tasks are still paid',
    isBeta: true,
  },
  'POST /api/v1/orders/:id/resume': { tag: 'Orders', summary: 'Show it again', isBeta: true },
  'POST /api/v1/orders/:id/cancel': {
    tag: 'Orders',
    summary: 'End it and refund the rest of the money',
    isBeta: true,
  },
  'POST /api/v1/orders/:id/top-up': { tag: 'Orders', summary: 'Buy more subscriptions for it', isBeta: true },
  'POST /api/v1/links': { tag: 'Links', summary: 'Create a smart link', isBeta: true, example: LINK_EXAMPLE },
  'GET /api/v1/links': { tag: 'Links', summary: 'Your links, newest first', isBeta: true },
  'GET /api/v1/links/:id': { tag: 'Links', summary: 'One link', isBeta: true },
  'PATCH /api/v1/links/:id': { tag: 'Links', summary: 'Change its URL, name or rules', isBeta: true },
  'DELETE /api/v1/links/:id': { tag: 'Links', summary: 'Delete it', isBeta: true },
  'GET /api/v1/links/:id/clicks': { tag: 'Links', summary: 'Clicks by day, country, device and system', isBeta: true },
  'POST /api/v1/webhooks': {
    tag: 'Webhooks',
    summary: 'Subscribe a URL to events',
    isBeta: true,
    example: { url: 'https://example.com/hook', events: ['subscription.confirmed'] },
  },
  'GET /api/v1/webhooks': { tag: 'Webhooks', summary: 'Your endpoints', isBeta: true },
  'DELETE /api/v1/webhooks/:id': { tag: 'Webhooks', summary: 'Remove an endpoint', isBeta: true },
  'POST /api/v1/webhooks/:id/enable': { tag: 'Webhooks', summary: 'Send to a disabled endpoint again', isBeta: true },
  'POST /api/v1/webhooks/:id/test': { tag: 'Webhooks', summary: 'Send a test event', isBeta: true },
  'POST /api/v1/webhooks/:id/rotate-secret': {
    tag: 'Webhooks',
    summary: 'Create a new secret; for a day both sign',
    isBeta: true,
  },
  'GET /api/v1/webhooks/:id/deliveries': {
    tag: 'Webhooks',
    summary: 'The deliveries with every attempt, newest first',
    isBeta: true,
  },
  'POST /api/v1/webhooks/:id/replay': {
    tag: 'Webhooks',
    summary: 'Send one delivery, or all since a time, again',
    isBeta: true,
  },
};
