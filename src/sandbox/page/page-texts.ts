import type { Language } from '../../core/locale.ts';

/** What stands in the page before its script runs, and without one. The rest is in src/web/client/sandbox/texts. */
export interface PageTexts {
  readonly title: string;
  readonly lead: string;
  readonly skip: string;
  readonly tour: string;
  readonly otherLanguage: string;
  readonly needsScript: string;
  readonly phone: string;
  readonly world: string;
  readonly views: string;
  readonly you: string;
  readonly newPerson: string;
  readonly clock: string;
  readonly hour: string;
  readonly day: string;
  readonly reset: string;
  readonly telegram: string;
  readonly faults: readonly (readonly [mode: string, name: string])[];
  readonly money: string;
  readonly account: string;
  readonly available: string;
  readonly hold: string;
  readonly escrow: string;
  readonly orders: string;
  readonly calls: string;
  readonly ledger: string;
  readonly check: string;
  readonly webhooks: string;
  readonly subscribe: string;
  readonly byHand: string;
  readonly byHandLead: string;
  readonly lines: readonly [tasks: string, join: string, confirm: string, day: string];
  readonly links: readonly (readonly [path: string, what: string])[];
}

const EN: PageTexts = {
  title: 'Sponsorgate sandbox',
  lead: 'The whole exchange with an emulated Telegram: nothing here reaches the real one, and no money is real.',
  skip: 'Skip to the world',
  tour: 'Take the tour',
  otherLanguage: 'Русский',
  needsScript: 'The phone and the live view need JavaScript. Everything can also be done by hand, see below.',
  phone: 'Phone',
  world: 'World',
  views: 'What is shown',
  you: 'You are',
  newPerson: 'New person',
  clock: 'Clock',
  hour: '+1 h',
  day: '+24 h',
  reset: 'Start over',
  telegram: 'Telegram',
  faults: [
    ['none', 'Works'],
    ['down', 'Down'],
    ['too_many_requests', 'Flood'],
    ['slow', 'Slow'],
    ['not_admin', 'No rights'],
  ],
  money: 'Money',
  account: 'Account',
  available: 'Available',
  hold: 'On hold',
  escrow: 'In orders',
  orders: 'Orders',
  calls: 'API requests',
  ledger: 'Ledger',
  check: 'Check the books',
  webhooks: 'Webhooks',
  subscribe: 'Catch webhooks here',
  byHand: 'By hand',
  byHandLead: 'The same from a terminal, with the demo publisher’s token. What you send shows up above.',
  lines: [
    '1. ask for tasks for Anna (a demo user)',
    '2. Anna joins a sponsor channel: take a chat_id from /sandbox/state',
    '3. confirm it: the reward is on hold',
    '4. a day later it is yours',
  ],
  links: [
    ['/sandbox/state', 'accounts, bots with their tokens, orders, users, chats'],
    ['/sandbox/ledger', 'every balance recomputed from the transfers'],
    ['/sandbox/inbox', 'what was posted to the webhook catcher'],
    ['/docs', 'the API reference'],
  ],
};

const RU: PageTexts = {
  title: 'Песочница Sponsorgate',
  lead: 'Вся биржа с ненастоящим Telegram: отсюда ничего не уходит в настоящий, и деньги здесь игрушечные.',
  skip: 'Сразу к миру',
  tour: 'Показать всё по шагам',
  otherLanguage: 'English',
  needsScript: 'Телефону и живой картине нужен JavaScript. Всё то же можно сделать вручную, см. ниже.',
  phone: 'Телефон',
  world: 'Мир',
  views: 'Что показано',
  you: 'Вы',
  newPerson: 'Новый человек',
  clock: 'Часы',
  hour: '+1 ч',
  day: '+24 ч',
  reset: 'Начать заново',
  telegram: 'Telegram',
  faults: [
    ['none', 'Работает'],
    ['down', 'Недоступен'],
    ['too_many_requests', 'Флуд'],
    ['slow', 'Медленно'],
    ['not_admin', 'Нет прав'],
  ],
  money: 'Деньги',
  account: 'Счёт',
  available: 'Доступно',
  hold: 'В холде',
  escrow: 'В заказах',
  orders: 'Заказы',
  calls: 'Запросы к API',
  ledger: 'Учёт',
  check: 'Проверить учёт',
  webhooks: 'Вебхуки',
  subscribe: 'Ловить вебхуки здесь',
  byHand: 'Вручную',
  byHandLead: 'То же из терминала, с токеном владельца демобота. Что отправите, появится выше.',
  lines: [
    '1. задания для Анны (демопользователь)',
    '2. Анна подписывается на канал спонсора: chat_id есть в /sandbox/state',
    '3. подтверждение: награда в холде',
    '4. через сутки она ваша',
  ],
  links: [
    ['/sandbox/state', 'счета, боты с токенами, заказы, пользователи, чаты'],
    ['/sandbox/ledger', 'все остатки, пересчитанные по переводам'],
    ['/sandbox/inbox', 'что пришло в ловушку вебхуков'],
    ['/docs', 'справочник API'],
  ],
};

export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = { ru: RU, en: EN };
