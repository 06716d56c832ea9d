/** The APIs of other networks over our own task flow (docs/guides/switching.md). Each network has its own tag. */
export const COMPAT_TAGS = {
  'Other networks': 'What the compatible APIs need from you. The address of a request chooses the network.',
  SubGram: 'The API of SubGram at `/compat/subgram`. The key is the API token of your bot, in the header `Auth`.',
  Flyer: 'The API of Flyer at `/compat/flyer`. The key is the API token of your bot, in the field `key`.',
  TGrass: 'The API of TGrass at `/compat/tgrass`. The key is the API token of your bot, in the header `Auth`.',
  PiarFlow: 'The API of PiarFlow at `/compat/piarflow/v1`. The key is the API token of your bot, as a bearer token.',
  BotoHub: 'The API of BotoHub at `/compat/botohub`. The key is the API token of your bot, in the header `Auth`.',
} as const;

interface CompatIntroduction {
  readonly tag: keyof typeof COMPAT_TAGS;
  readonly summary: string;
  readonly isBeta?: boolean;
  readonly example?: unknown;
}

export const COMPAT_CATALOGUE: Readonly<Record<string, CompatIntroduction>> = {
  'GET /compat/telegram-token': {
    tag: 'Other networks',
    summary: 'Does the service have the Telegram token of your bot?',
  },
  'PUT /compat/telegram-token': {
    tag: 'Other networks',
    summary: 'Give the Telegram token of your bot, so that gate messages can be sent through it',
  },
  'POST /compat/subgram/get-sponsors': { tag: 'SubGram', summary: 'Confirm earlier sponsors and return the rest' },
  'POST /compat/subgram/get-user-subscriptions': { tag: 'SubGram', summary: 'Statuses of what the user was shown' },
  'POST /compat/subgram/get-balance': { tag: 'SubGram', summary: 'Balance and bots' },
  'POST /compat/subgram/bots': { tag: 'SubGram', summary: 'Register a bot, change its settings, read them' },
  'POST /compat/subgram/orders': { tag: 'SubGram', summary: 'Create, change and read orders', isBeta: true },
  'GET /compat/subgram/statistic': { tag: 'SubGram', summary: 'Figures by day, sources of an order' },
  'POST /compat/subgram/toggle-exclusion': {
    tag: 'SubGram',
    summary: 'Hide an order from your bot, or a bot from your order',
  },
  'GET /compat/subgram/filters': { tag: 'SubGram', summary: 'Empty lists: orders here have no targeting' },
  'POST /compat/subgram/request-op': { tag: 'SubGram', summary: 'The older get-sponsors; 404: no sponsors' },
  'POST /compat/subgram/request-op-tokenless': { tag: 'SubGram', summary: 'The same' },
  'POST /compat/flyer/get_me': { tag: 'Flyer', summary: 'The bot of the key' },
  'POST /compat/flyer/check': { tag: 'Flyer', summary: 'The gate, with the message sent through your bot' },
  'POST /compat/flyer/get_tasks': { tag: 'Flyer', summary: 'Confirm earlier tasks and return the rest' },
  'POST /compat/flyer/check_task': { tag: 'Flyer', summary: 'Confirm one task' },
  'POST /compat/flyer/get_completed_tasks': { tag: 'Flyer', summary: 'Done tasks of a user' },
  'POST /compat/tgrass/offers': { tag: 'TGrass', summary: 'Confirm earlier offers and return all of the round' },
  'POST /compat/piarflow/v1/sponsors': {
    tag: 'PiarFlow',
    summary: 'Confirm earlier sponsors and return all of the round',
  },
  'POST /compat/piarflow/v1/sponsors/check': { tag: 'PiarFlow', summary: 'Statuses by link' },
  'POST /compat/botohub/get-tasks-extended': {
    tag: 'BotoHub',
    summary: 'Confirm earlier tasks and return all of the round',
  },
  'POST /compat/botohub/get-tasks': { tag: 'BotoHub', summary: 'The same; bare links of what is left' },
};
