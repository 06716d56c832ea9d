import { EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import type { Words } from './words.ts';

export const publisherRu = {
  list: {
    title: html`🤖 <b>Мои боты</b>`,
    some: html`Выберите бота или добавьте новый.`,
    none: html`Ботов пока нет. Добавьте бота, и его пользователи начнут приносить вам доход.`,
    add: '➕ Добавить бота',
  },
  add: {
    explain: lines(
      html`➕ <b>Новый бот</b>\n`,
      html`Нам нужно одно: убедиться, что бот ваш. Управлять им мы не будем, и доступ к нему нам не нужен. Задания бот берёт сам через API.\n`,
      html`🔑 <b>По токену</b>: пришлите токен от @BotFather. Мы один раз спросим у Telegram имя бота (<code>getMe</code>) и токен не сохраним.`,
      html`↪️ <b>Пересылкой</b>: добавьте код к имени бота и перешлите нам любое его сообщение. Токен не понадобится.`,
    ),
    byToken: '🔑 По токену',
    byForward: '↪️ Пересылкой',
    askToken: lines(
      html`🔑 Пришлите токен бота от @BotFather. Он выглядит так:`,
      html`<code>123456789:AAExampleExampleExampleExampleExamp</code>\n`,
      html`Сообщение с токеном мы сразу удалим из чата, а сам токен не сохраним.`,
    ),
    noToken: html`⚠️ В сообщении нет токена бота. Скопируйте его целиком у @BotFather и пришлите сюда.`,
    wrongToken: html`⚠️ Telegram не принимает этот токен. Возможно, он отозван или скопирован не полностью. Пришлите действующий.`,
    away: html`⏳ Telegram сейчас не отвечает, проверить токен не удалось. Пришлите его ещё раз чуть позже.`,
    askForward: (p: { code: string }) =>
      lines(
        html`↪️ <b>Подтверждение пересылкой</b>\n`,
        html`1. Временно добавьте к имени бота код <code>${p.code}</code>: @BotFather → /mybots → бот → Edit Bot → Edit Name.`,
        html`2. Перешлите сюда любое сообщение этого бота.\n`,
        html`Имя бота меняет только владелец, поэтому кода в имени достаточно. После проверки верните прежнее имя.`,
      ),
    newCode: '🔄 Другой код',
    notForwarded: html`⚠️ Это не пересланное сообщение. Откройте чат со своим ботом и перешлите оттуда любое его сообщение.`,
    notFromBot: html`⚠️ Это сообщение написал не бот. Перешлите сообщение, которое отправил сам бот.`,
    codeMissing: (p: { name: string; username: string }) =>
      html`⚠️ Имя бота @${p.username} сейчас «${p.name}», кода в нём нет. Добавьте код и перешлите сообщение ещё раз; новое имя может появиться не сразу.`,
    taken: (p: { username: string }) =>
      lines(
        html`🙅 Бот @${p.username} уже подключён к другому аккаунту.\n`,
        html`Если бот ваш, оператор может его перенести.`,
      ),
    added: html`✅ Бот добавлен. Остался один шаг: получите API-токен.`,
    addedByName: html`✅ Бот добавлен, имя можно вернуть прежнее. Остался один шаг: получите API-токен.`,
    alreadyYours: html`☝️ Этот бот у вас уже есть.`,
  },
  bot: {
    page: (
      p: Words<
        | 'username'
        | 'maxSponsors'
        | 'round'
        | 'profiles'
        | 'excluded'
        | 'subscribers'
        | 'revenue'
        | 'countedToday'
        | 'revenueToday'
      > & { isActive: boolean; reversedToday: string | undefined },
    ): Html =>
      lines(
        html`🤖 <b>@${p.username}</b>`,
        p.isActive ? html`🟢 Включён` : html`🔴 Выключен: запросы с его токеном получают 401`,
        EMPTY_LINE,
        html`📋 Заданий за раунд: <b>${p.maxSponsors}</b>`,
        html`⏱ Длина раунда: <b>${p.round}</b>`,
        html`🧭 Сбор профиля: <b>${p.profiles}</b>`,
        html`🚫 Исключено: <b>${p.excluded}</b>\n`,
        html`👥 Подписчиков: <b>${p.subscribers}</b>`,
        html`💰 Доход: <b>${p.revenue}</b>`,
        p.reversedToday === undefined
          ? html`📅 Сегодня: <b>+${p.countedToday}</b> · ${p.revenueToday}`
          : html`📅 Сегодня: <b>+${p.countedToday}</b>, отменено ${p.reversedToday} · ${p.revenueToday}`,
      ),
    noToken: html`👉 Токена ещё нет: без него бот не получит заданий.`,
    nothingExcluded: 'ничего',
    types: { channel: 'каналы', bot: 'боты' },
    excludedOrders: (p: { count: string }) => `заказов: ${p.count}`,
    token: '🔑 API-токен',
    settings: '⚙️ Настройки',
    statistics: '📊 Статистика',
    integration: '🧩 Интеграция',
    why: '❓ Почему нет заданий?',
    switchOff: '🔴 Выключить',
    switchOn: '🟢 Включить',
    askSwitchOff: (p: { username: string }) =>
      lines(
        html`Выключить <b>@${p.username}</b>?\n`,
        html`Все его токены начнут получать 401, и заданий бот не получит. Заработанное остаётся вашим. Включить обратно можно в любой момент.`,
      ),
  },
  token: {
    title: (p: { username: string }) => html`🔑 <b>API-токен бота @${p.username}</b>`,
    none: html`Действующих токенов нет. Создайте токен, чтобы бот мог получать задания.`,
    one: (p: { fingerprint: string; created: string; isBeta: boolean; validUntil: string | undefined }) =>
      lines(
        html`• <code>${p.fingerprint}…</code>, создан ${p.created}`,
        html`   ${p.isBeta ? 'задания и бета-доступ' : 'задания'}, ${p.validUntil === undefined ? 'бессрочный' : `действует до ${p.validUntil}`}`,
      ),
    more: (p: { count: string }) => html`…и ещё ${p.count}`,
    note: html`Код слева — начало SHA-256 токена. Сам токен мы не храним, поэтому показать его ещё раз не можем.`,
    create: '➕ Создать токен',
    renew: '♻️ Перевыпустить',
    askRenew: (p: { username: string }) =>
      lines(
        html`♻️ Перевыпустить токен <b>@${p.username}</b>?\n`,
        html`Вы получите новый токен. Когда перестанут работать нынешние?`,
        html`Если токен утёк, выбирайте «Сразу». Если нужно время, чтобы обновить бота, дайте запас.`,
      ),
    grace: { 0: 'Сразу', 1: 'Через 1 час', 24: 'Через 24 часа', 168: 'Через 7 дней' },
    once: (p: { username: string; token: string }) =>
      lines(
        html`✅ Токен бота <b>@${p.username}</b>:\n`,
        html`<code>${p.token}</code>\n`,
        html`Сохраните его сейчас: мы показываем его один раз, и любая кнопка меню заменит это сообщение. Никому его не передавайте.`,
      ),
    oldUntil: (p: { until: string }) => html`Прежние токены работают до ${p.until}.`,
    oldEnded: html`Прежние токены больше не работают.`,
    saved: '✅ Токен сохранён',
    issuedBefore: html`☝️ Этой кнопкой токен уже создан, и второй раз показать его нельзя. Если вы его не сохранили, перевыпустите.`,
  },
  settings: {
    title: (p: { username: string }) => html`⚙️ <b>Настройки @${p.username}</b>`,
    choose: html`Что изменить?`,
    maxSponsors: (p: { value: string }) => `📋 Заданий за раунд: ${p.value}`,
    round: (p: { value: string }) => `⏱ Длина раунда: ${p.value}`,
    profiles: (p: { value: string }) => `🧭 Сбор профиля: ${p.value}`,
    unknownOrders: (p: { value: string }) => `🩹 Ответ 200 на неизвестный ads_id: ${p.value}`,
    types: (p: { value: string }) => `🚫 Типы: ${p.value}`,
    orders: (p: { value: string }) => `🙈 Скрытые заказы: ${p.value}`,
    allTypes: 'все',
    onlyType: { channel: 'только каналы', bot: 'только боты' },
    askMaxSponsors: (p: { value: string; min: string; max: string }) =>
      lines(
        html`📋 Сколько заданий показывать пользователю за раунд? Сейчас: <b>${p.value}</b>.\n`,
        html`Выберите или напишите число от ${p.min} до ${p.max}. Запрос с <code>max_sponsors</code> важнее этой настройки.`,
      ),
    askRound: (p: { value: string; min: string; max: string }) =>
      lines(
        html`⏱ Через какое время выполнивший задания пользователь увидит новые? Сейчас: <b>${p.value}</b>.\n`,
        html`Выберите или напишите число минут, от ${p.min} до ${p.max}.`,
      ),
    askProfiles: (p: { value: string; privacy: string }) =>
      lines(
        html`🧭 <b>Сбор профиля</b>: сейчас ${p.value}\n`,
        html`Если включить, пользователь, о котором мы ничего не знаем, получит одно из заданий через нашу короткую ссылку. Она определит страну, город и устройство, и заказы с такими фильтрами будут подбираться точнее.`,
        html`Ссылка сохранит и зашифрованный отпечаток адреса сети, но не сам адрес. Предупредите об этом пользователей: текст для них — ${p.privacy}.`,
        html`Задание остаётся тем же, награда тоже.`,
      ),
    askUnknownOrders: (p: { value: string }) =>
      lines(
        html`🩹 <b>Ответ 200 на неизвестный ads_id</b>: сейчас ${p.value}\n`,
        html`По умолчанию подтверждение неизвестного <code>ads_id</code> получает 404. Некоторые программы на ошибку пропускают пользователя без задания. Если включить, они получат 200 и <code>{"status":"warning","subscribed":false,"code":"order_not_found"}</code> и запросят задания заново.`,
      ),
    askTypes: html`🚫 Какие задания показывать? Хотя бы один тип должен остаться.`,
    typeShown: { channel: '✅ Каналы', bot: '✅ Боты' },
    typeHidden: { channel: '❌ Каналы', bot: '❌ Боты' },
    lastType: 'Один из типов должен остаться.',
    hiddenOrders: html`🙈 <b>Скрытые заказы</b>: их этот бот не показывает. Нажмите на заказ, чтобы вернуть его.`,
    noHiddenOrders: html`🙈 Скрытых заказов нет: бот показывает все подходящие.`,
    hideOrder: '➕ Скрыть заказ',
    showOrder: (p: { orderId: number; title: string | undefined }) =>
      p.title === undefined ? `↩️ № ${p.orderId}` : `↩️ № ${p.orderId} · ${p.title}`,
    askOrder: html`Напишите номер заказа, который не показывать. Это <code>ads_id</code> задания из ответа get-sponsors.`,
    wrongOrder: html`⚠️ Заказа с таким номером нет. Нужен <code>ads_id</code> из ответа get-sponsors, например 17.`,
    tooManyOrders: (p: { most: string }) => html`⚠️ Больше ${p.most} заказов скрыть нельзя: верните какие-нибудь.`,
    duration: (minutes: number): string => {
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? `${hours} ч` : '', rest > 0 ? `${rest} мин` : ''].filter((part) => part !== '').join(' ');
    },
  },
  gate: {
    menu: '📨 Сообщения через бота',
    title: (p: { username: string }) => html`📨 <b>Сообщения через @${p.username}</b>`,
    explain: html`Нужны, только если ваш код написан для Flyer (<code>check</code>) или SubGram (<code>get_links=0</code>): список спонсоров пользователю отправляем мы, от имени вашего бота. Для этого нужен его токен от @BotFather. Для своего API, в котором список показывает сам бот, он не нужен.`,
    isOn: html`🟢 Токен есть, он хранится зашифрованным.`,
    isOff: html`🔴 Токена нет: такие запросы пропускают пользователя без заданий и без оплаты.`,
    failed: (p: { at: string; why: string }) => html`⚠️ Последнее неотправленное сообщение, ${p.at}: ${p.why}`,
    give: '🔑 Дать токен',
    replace: '🔑 Заменить токен',
    remove: '🗑 Удалить токен',
    askToken: (p: { username: string }) =>
      lines(
        html`🔑 Пришлите токен @${p.username} от @BotFather. Он выглядит так:`,
        html`<code>123456789:AAExampleExampleExampleExampleExamp</code>\n`,
        html`Ваше сообщение мы сразу удалим из чата. Токен сохраним зашифрованным и будем отправлять с ним только эти сообщения.`,
      ),
    saved: html`✅ Токен сохранён.`,
    askRemove: (p: { username: string }) =>
      html`Удалить токен <b>@${p.username}</b>? Запросы, для которых он нужен, будут пропускать пользователей без заданий и без оплаты.`,
  },
  statistics: {
    caption: (p: { username: string; days: string; counted: string; reversed: string; revenue: string }) =>
      lines(
        html`📊 <b>@${p.username}</b>, ${p.days}\n`,
        html`👥 Засчитано: <b>${p.counted}</b>, отменено: <b>${p.reversed}</b>`,
        html`💰 Доход: <b>${p.revenue}</b>`,
      ),
    noPicture: html`График нарисовать не удалось, но цифры точные.`,
    days: { 7: '7 дней', 30: '30 дней' },
    subscribers: 'Подписчики',
    counted: 'засчитано',
    reversed: 'отменено',
    revenue: 'Доход, ₽',
    nothing: 'За эти дни ничего не было',
  },
  integration: {
    intro: (p: { username: string }) =>
      lines(
        html`🧩 <b>Интеграция @${p.username}</b>\n`,
        html`Когда пользователь заходит в бота, запросите задания. Ответ <code>warning</code>: покажите их и кнопку «Я подписался», по ней подтвердите каждое. Ответ <code>ok</code>: пускайте дальше.`,
      ),
    withToken: html`Токен уже подставлен. Он виден, пока открыт этот экран.`,
    withoutToken: (p: { username: string }) =>
      html`Вместо <code>${'<API_KEY>'}</code> подставьте токен: Мои боты → @${p.username} → API-токен.`,
    reference: (p: { url: string }) => html`Все методы: ${p.url}`,
    tabs: { curl: 'curl', ts: 'TypeScript', py: 'Python' },
    chosen: (p: { tab: string }) => `• ${p.tab} •`,
  },
  webhooks: {
    menu: '🔌 Вебхуки',
    title: html`🔌 <b>Вебхуки</b>\n`,
    none: html`Пришлите адрес своей программы, и она будет получать события: подписки, отмены, выплаты, состояние заказов. Каждое сообщение подписано.`,
    some: html`Выберите вебхук или добавьте новый.`,
    add: '➕ Добавить вебхук',
    askUrl: (p: { format: string }) =>
      lines(
        html`Пришлите адрес, на который слать события, например <code>https://example.com/hook</code>. Он получит все события вашего аккаунта.\n`,
        html`Формат: <b>${p.format}</b>. SubGram и Flyer – для кода, написанного для этих сетей.`,
      ),
    chosenFormat: (p: { name: string }) => `• ${p.name} •`,
    format: (p: { name: string }) => html`Формат: <b>${p.name}</b>`,
    wrongUrl: 'Нужен открытый адрес http или https без имени и пароля.',
    known: 'Такой вебхук у вас уже есть.',
    secret: (p: { url: string; secret: string }) =>
      lines(
        html`✅ Секрет вебхука <code>${p.url}</code>:\n`,
        html`<code>${p.secret}</code>\n`,
        html`Сохраните его сейчас: мы показываем его один раз. Им вы проверяете подпись сообщений (Standard Webhooks).`,
      ),
    isOn: html`🟢 Включён`,
    isOff: {
      gone: html`🔴 Выключен: адрес попросил больше не слать`,
      failing: html`🔴 Выключен: адрес слишком долго не отвечал`,
    },
    events: (p: { count: string }) => html`Видов событий: <b>${p.count}</b>. Доставки и повторы – в веб-кабинете.`,
    test: '📨 Послать проверочное событие',
    testSent: 'Проверочное событие отправляется.',
    enable: '🟢 Включить',
    newSecret: '♻️ Новый секрет',
    askNewSecret: 'Выпустить новый секрет? Прежний подписывает сообщения ещё сутки.',
    remove: '🗑 Удалить',
    askRemove: 'Удалить вебхук? События больше не будут приходить на этот адрес.',
  },
  why: {
    ask: (p: { username: string }) =>
      lines(
        html`❓ <b>Почему @${p.username} не получает заданий?</b>\n`,
        html`Пришлите Telegram id пользователя (число) или перешлите сюда его сообщение.`,
      ),
    wrongId: html`⚠️ Это не id. Нужно число, например 123456789, или пересланное сообщение пользователя.`,
    hidden: html`⚠️ Этот пользователь скрывает себя при пересылке. Пришлите его id числом: бот видит его в каждом сообщении.`,
    title: (p: { userId: number; username: string }) =>
      html`❓ Пользователь <code>${p.userId}</code> в боте <b>@${p.username}</b>`,
    some: (p: { count: string; round: string }) =>
      html`✅ Подходящих заказов: <b>${p.count}</b>. Если бот всё же получает пустой список, пользователь выполнил свои задания и новые увидит в следующем раунде (длина раунда ${p.round}).`,
    totals: (p: { active: string; paused: string }) => html`Активных заказов: ${p.active}, на паузе: ${p.paused}.`,
    removed: html`<b>Почему отпали остальные</b>`,
    removedByFilter: html`<b>Не подошёл по фильтрам рекламодателя</b>`,
    item: (p: { count: string; reason: string }) => html`• ${p.reason}: <b>${p.count}</b>`,
    another: '🔎 Другой пользователь',
  },
};
