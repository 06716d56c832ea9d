import { FORMATS } from '../../../core/locale.ts';
import type { SessionKind } from '../../../modules/sessions/index.ts';
import type { RefusalReason } from '../refusal.ts';

const { plural } = FORMATS.ru;

interface Told {
  readonly title: string;
  readonly text: string;
}

/** Texts of every page, and messages for refusals. */
export const commonRu = {
  common: {
    languageName: 'Русский',
    skip: 'К содержанию',
    signOut: 'Выйти',
    accountNumber: (id: number): string => `Аккаунт № ${id}`,
    breadcrumbs: 'Где вы',
    csv: 'Скачать CSV',
    pages: 'Страницы',
    older: 'Раньше',
    newest: 'В начало',
    later: 'Дальше',
    toStart: 'В начало',
    figures: 'Показать цифры',
    figuresAge: (seconds: number): string =>
      `Цифры читаются из копии базы и отстают на ${seconds} ${plural(seconds, 'секунду', 'секунды', 'секунд')}.`,
    actionsOf: 'Действия',
    copy: 'Копировать',
    searchCountry: 'Добавить страну',
    remove: 'Убрать',
    copied: 'Скопировано',
    shownOnce: 'Показываем один раз: сохраните сейчас.',
    period: 'Период',
    days: (count: number): string => `${count} ${plural(count, 'день', 'дня', 'дней')}`,
    day: 'День',
    save: 'Сохранить',
    cancel: 'Не надо',
    saved: 'Сохранено.',
    number: '№',
    status: 'Статус',
    time: 'Время (МСК)',
    amount: 'Сумма',
    name: 'Название',
    unknown: 'неизвестно',
    nothing: 'Здесь пока пусто.',
  },
  menu: {
    managementBot: 'Бот управления',
    waiting: 'ждут',
    label: 'Разделы',
    button: 'Меню',
    operator: 'Оператор',
    overview: 'Обзор',
    bots: 'Боты',
    orders: 'Заказы',
    links: 'Ссылки',
    payouts: 'Выплаты',
    cases: 'Проверки',
    history: 'История',
    webhooks: 'Вебхуки',
    sessions: 'Сеансы',
  },
  signIn: {
    title: 'Вход в кабинет',
    as: (p: { name: string; account: string }): string => `Вы входите как ${p.name} (${p.account}).`,
    button: 'Войти',
    once: 'Ссылка работает один раз и пять минут.',
    badLinkTitle: 'Ссылка не работает',
    badLink: 'Её уже использовали, или прошло больше пяти минут.',
    how: 'Чтобы войти, откройте бот управления, нажмите «Веб-кабинет» и перейдите по ссылке. Пароль не нужен.',
    signedOut: 'Вы вышли',
    appTitle: 'Открываем кабинет',
    wait: 'Секунду…',
    outside: 'Эта страница открывается из бота управления.',
    appFailed: 'Не получилось войти. Закройте окно и откройте его из бота ещё раз.',
    noScript: 'Для этой страницы нужен JavaScript.',
  },
  errors: {
    support: 'Нужна помощь?',
    toOverview: 'К обзору',
    toCases: 'К проверкам',
    refusedTitle: 'Не получилось',
    missing: { title: 'Такой страницы нет', text: 'Её нет вовсе, или она не ваша.' },
    tooFast: { title: 'Слишком часто', text: 'Подождите несколько секунд и обновите страницу.' },
    failed: { title: 'У нас что-то сломалось', text: 'Ничего не потеряно. Попробуйте ещё раз через минуту.' },
    not_signed_in: {
      title: 'Нужно войти',
      text: 'Откройте бот управления, нажмите «Веб-кабинет» и перейдите по ссылке. Пароль не нужен.',
    },
    foreign_form: {
      title: 'Форма устарела',
      text: 'Она пришла не с вашей страницы или открыта слишком давно. Откройте страницу заново и повторите.',
    },
    not_in_app: {
      title: 'Только в браузере',
      text: 'Этот раздел открывается в браузере: в боте управления нажмите «Веб-кабинет».',
    },
    operators_only: { title: 'Такой страницы нет', text: 'Её нет вовсе, или она не ваша.' },
    banned: {
      title: 'Аккаунт заблокирован',
      text: 'Его заблокировал оператор. Проверки по нему можно читать и на каждую один раз ответить.',
    },
  } satisfies Record<RefusalReason | 'missing' | 'tooFast' | 'failed', Told> & {
    toOverview: string;
    toCases: string;
    support: string;
    refusedTitle: string;
  },
  sessions: {
    listTitle: 'Где вы вошли',
    note: 'Сеанс заканчивается через 12 часов без дела и не позже чем через 7 дней.',
    device: 'Устройство',
    kind: 'Откуда',
    kinds: { browser: 'ссылка из бота', app: 'внутри Telegram' } satisfies Record<SessionKind, string>,
    since: 'Вход (МСК)',
    seen: 'Последнее действие (МСК)',
    thisOne: 'это вы',
    end: 'Завершить',
    ended: 'Сеанс завершён.',
    endAllTitle: 'Выйти везде',
    endAllNote: 'Завершит все сеансы, и этот тоже. Войти снова можно по новой ссылке из бота.',
    endAll: 'Выйти везде',
  },
};
