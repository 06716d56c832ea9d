import { clip, html, lines } from '../../../core/html.ts';

/** Buttons of every area, messages that are sent before an area is reached, the first screen and the way into the console. */
export const commonRu = {
  common: {
    back: '⬅️ Назад',
    home: '🏠 В меню',
    cancel: '✖️ Отмена',
    yes: '✅ Да',
    no: '✖️ Нет',
    on: 'вкл.',
    off: 'выкл.',
    nothing: 'Пока ничего нет.',
    copy: '📋 Скопировать',
    next: 'Дальше ➡️',
    skip: 'Пропустить',
    refresh: '🔄 Обновить',
    done: 'Готово.',
    wrongCount: ({ min, max }: { min: string; max: string }) => `Нужно целое число от ${min} до ${max}.`,
    tooLong: ({ most }: { most: string }) => `Слишком длинно: не больше ${most} символов.`,
  },
  access: {
    onlyPrivate: 'Я работаю только в личных сообщениях: откройте чат со мной.',
    tooFast: 'Слишком быстро. Подождите немного и продолжайте.',
    failed: 'Что-то пошло не так. Попробуйте ещё раз чуть позже.',
    flood: ({ seconds }: { seconds: number }) =>
      `Telegram просит подождать ${seconds} с, экран не обновился. Нажмите ещё раз после этого.`,
    stale: 'Эта кнопка устарела, вот меню.',
    banned: 'Ваш аккаунт заблокирован оператором.',
    /** What a checker bot replies to a person. */
    checkerBot: (p: { bot: string }): string => `Я только проверяю, кто подписался. Заказы, баланс и помощь: @${p.bot}`,
  },
  /** What Telegram shows about the bot before and beside the chat. */
  profile: {
    description:
      'Sponsorgate – биржа подписчиков для ботов Telegram. Владельцам ботов: показывайте задания и зарабатывайте на каждой подписке. Рекламодателям: подписчики для канала, группы или бота, оплата только за тех, кто подписался и остался.',
    shortDescription: 'Биржа подписчиков: зарабатывайте на своём боте или покупайте подписчиков.',
    commands: {
      start: 'Меню',
      bots: 'Мои боты',
      orders: 'Мои заказы',
      balance: 'Баланс и выплаты',
      notices: 'Уведомления',
      console: 'Веб-кабинет',
      language: 'Язык',
    },
  },
  home: {
    greeting: (p: { name: string; accountId: number; available: string; hold: string }) =>
      lines(
        html`👋 <b>${clip(p.name, 64)}</b>, это Sponsorgate: биржа подписчиков для ботов Telegram.\n`,
        html`Аккаунт №<b>${p.accountId}</b>`,
        html`💰 Доступно: <b>${p.available}</b>`,
        html`⏳ В холде: <b>${p.hold}</b>\n`,
        html`Зарабатывайте на своих ботах или покупайте подписчиков для каналов и ботов.`,
      ),
    bots: '🤖 Мои боты',
    orders: '📣 Мои заказы',
    balance: '💰 Баланс',
    contests: '🏆 Конкурсы',
    notices: '🔔 Уведомления',
    language: '🌐 Язык',
    operator: '🛠 Оператор',
    chooseLanguage: html`На каком языке говорить?`,
    languageName: 'Русский',
  },
  console: {
    open: '🖥 Веб-кабинет',
    page: (p: { devices: string }) =>
      lines(
        html`🖥 <b>Веб-кабинет</b>\n`,
        html`Графики, боты, заказы, ссылки, вебхуки и выгрузка в CSV – в браузере. Пароля нет: вход по ссылке.\n`,
        html`⚠️ Ссылка ниже – ваш ключ: работает один раз и 5 минут. Никому её не пересылайте.\n`,
        html`Открыто сеансов: <b>${p.devices}</b>`,
      ),
    enter: '➡️ Войти в кабинет',
    address: (p: { url: string }) => html`<code>${p.url}</code>`,
    another: '🔄 Новая ссылка',
    endAll: '🚪 Выйти на всех устройствах',
    confirm: html`Завершить все сеансы веб-кабинета?`,
    ended: 'Все сеансы завершены.',
  },
};
