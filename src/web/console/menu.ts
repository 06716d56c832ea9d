import type { Texts } from './texts/index.ts';

/** An entry of the menu; its path is also the first crumb of the pages below it. */
export interface MenuEntry {
  readonly path: string;
  readonly label: (texts: Texts) => string;
}

export const OWNER_MENU: readonly MenuEntry[] = [
  { path: '/console', label: ({ menu }) => menu.overview },
  { path: '/console/bots', label: ({ menu }) => menu.bots },
  { path: '/console/orders', label: ({ menu }) => menu.orders },
  { path: '/console/links', label: ({ menu }) => menu.links },
  { path: '/console/payouts', label: ({ menu }) => menu.payouts },
  { path: '/console/history', label: ({ menu }) => menu.history },
  { path: '/console/webhooks', label: ({ menu }) => menu.webhooks },
  { path: '/console/sessions', label: ({ menu }) => menu.sessions },
];

/** Operators see these entries below their own. */
export const OPERATOR_MENU: readonly MenuEntry[] = [
  { path: '/console/operator', label: ({ operator }) => operator.menu.queues },
  { path: '/console/operator/orders', label: ({ operator }) => operator.menu.moderation },
  { path: '/console/operator/payouts', label: ({ operator }) => operator.menu.payouts },
  { path: '/console/operator/accounts', label: ({ operator }) => operator.menu.accounts },
  { path: '/console/operator/debtors', label: ({ operator }) => operator.menu.debtors },
  { path: '/console/operator/reversals', label: ({ operator }) => operator.menu.reversals },
  { path: '/console/operator/contests', label: ({ operator }) => operator.menu.contests },
  { path: '/console/operator/log', label: ({ operator }) => operator.menu.log },
  { path: '/console/operator/books', label: ({ operator }) => operator.menu.books },
];
