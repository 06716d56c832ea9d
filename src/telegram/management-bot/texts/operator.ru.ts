import { clip, EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import { operatorCasesRu } from './operator-cases.ru.ts';
import { operatorContestsRu } from './operator-contests.ru.ts';
import { operatorMoneyRu } from './operator-money.ru.ts';
import { operatorPlatformRu } from './operator-platform.ru.ts';
import { operatorRiskRu } from './operator-risk.ru.ts';
import type { Words } from './words.ts';

const short = (text: string): string => clip(text, 300);

/** Actions that the operator confirms. */
export type ConfirmedActionName =
  | 'approve'
  | 'decline'
  | 'unban'
  | 'unuser'
  | 'prizes'
  | 'unfreeze'
  | 'unfreezepay'
  | 'resume'
  | 'cancel'
  | 'stop'
  | 'beta'
  | 'checker'
  | 'qrestore';
/** Actions for which the operator types a reason or a proof. */
export type ReasonedActionName =
  | 'order'
  | 'payout'
  | 'sent'
  | 'account'
  | 'user'
  | 'freeze'
  | 'freezepay'
  | 'pause'
  | 'credit'
  | 'cclear'
  | 'chold'
  | 'crev'
  | 'cban'
  | 'qgood'
  | 'qwatched'
  | 'qlow';

type ConfirmTexts = Readonly<Record<ConfirmedActionName, (p: { id: number; about: string }) => Html>>;
type ReasonTexts = Readonly<Record<ReasonedActionName, (p: { id: number; text: string }) => Html>>;

export const operatorRu = {
  overview: html`🛠 <b>Оператор</b>\n\nЧто ждёт решения, показано на кнопках.`,
  menu: {
    moderation: (p: { count: string }) => `🧾 Модерация: ${p.count}`,
    payouts: (p: { count: string }) => `💸 Выплаты: ${p.count}`,
    deposits: (p: { count: string }) => `💳 Пополнения: ${p.count}`,
    accounts: '👤 Аккаунты',
    beta: '🧪 Бета-доступ',
    contests: (p: { count: string }) => `🏆 Конкурсы: ${p.count}`,
    figures: '📊 Показатели',
    broadcasts: '📢 Рассылки',
    users: '🚫 Пользователи',
    log: '📜 Журнал',
    cases: (p: { count: string }) => `🔎 Проверки: ${p.count}`,
    operator: '🛠 Оператор',
  },
  gone: 'Этого больше нет.',

  moderation: {
    title: html`🧾 <b>Модерация</b>\n\nСначала самые старые. Откройте заказ, чтобы решить.`,
    empty: html`🧾 Все заказы проверены.`,
    find: html`Чтобы открыть любой другой заказ, напишите его номер.`,
    notFound: 'Такого заказа нет. Нужен номер, например 15.',
    line: (p: { id: number; title: string; price: string }) => `№${p.id} · ${clip(p.title, 28)} · ${p.price}`,
    page: (p: {
      id: number;
      name: string;
      title: string;
      link: string;
      type: string;
      status: string;
      price: string;
      charge: string;
      quantity: string;
      total: string;
      owner: Html;
      created: string;
      reason: string | undefined;
      /** The chat's data from Telegram, because the texts of the order may be false. */
      chat: { title: string; name: string | undefined; members: string; id: number } | undefined;
    }) =>
      lines(
        html`🧾 <b>Заказ №${p.id}</b> · ${p.status}`,
        p.reason === undefined ? undefined : html`Причина отказа: ${short(p.reason)}`,
        html`Владелец: ${p.owner}`,
        html`Создан: ${p.created}\n`,
        html`Заголовок: <b>${clip(p.title, 128)}</b>`,
        html`Название: ${clip(p.name, 128)}`,
        html`${p.type}: ${clip(p.link, 256)}`,
        p.chat === undefined
          ? undefined
          : html`В Telegram: «${clip(p.chat.title, 128)}», ${p.chat.name ?? 'закрыт'}, участников: ${p.chat.members}, ID <code>${p.chat.id}</code>`,
        html`Цена: <b>${p.price}</b>, с фильтрами <b>${p.charge}</b> за подписчика`,
        html`Количество: <b>${p.quantity}</b>, всего <b>${p.total}</b>`,
      ),
    types: { channel: 'Канал', bot: 'Бот' },
    noChat: html`В Telegram: данных о чате ещё нет`,
    firstOrder: html`\n🆕 Первый заказ владельца для этого ресурса.`,
    earlier: (p: { id: number; status: string; isSame: boolean }) =>
      html`\n🔁 Прошлый заказ для этого ресурса: №${p.id}, ${p.status}. ${p.isSame ? 'Ничего не изменилось.' : 'Что изменилось:'}`,
    fields: {
      title: 'заголовок',
      name: 'название',
      link: 'ссылка',
      price: 'цена',
      quantity: 'количество',
      filters: 'аудитория',
    },
    runs: '▶️ Идущие заказы',
    running: html`▶️ <b>Идущие заказы</b>\n\nСначала новые. Откройте заказ, чтобы остановить его.`,
    noneRuns: html`▶️ Сейчас ни один заказ не показывается.`,
    approve: '✅ Одобрить',
    reject: '🚫 Отклонить',
    open: '🔗 Открыть ссылку',
    queue: '🧾 К очереди',
  },

  owner: (p: { accountId: number; name: string; userId: number; isBanned: boolean }) =>
    html`аккаунт №${p.accountId}, <a href="tg://user?id=${p.userId}">${clip(p.name, 64)}</a> (${p.userId})${p.isBanned ? ' ⛔️' : ''}`,
  toAccount: '👤 Аккаунт владельца',

  accounts: {
    title: html`👤 <b>Аккаунты</b>\n\nНапишите номер аккаунта, Telegram ID или @имя бота. Ниже последние аккаунты.`,
    found: html`👤 <b>Нашлось</b>`,
    line: (p: { id: number; name: string; isBanned: boolean }) =>
      `${p.isBanned ? '⛔️ ' : ''}№${p.id} · ${clip(p.name, 30)}`,
    page: (
      p: Words<'name' | 'created' | 'available' | 'hold' | 'withdrawable'> & {
        id: number;
        userId: number;
        bots: readonly string[];
        moreBots: number;
        orders: readonly { status: string; count: string }[];
        ban: { at: string; reason: string } | undefined;
      },
    ) =>
      lines(
        html`👤 <b>Аккаунт №${p.id}</b>`,
        html`<a href="tg://user?id=${p.userId}">${clip(p.name, 64)}</a>, Telegram ID <code>${p.userId}</code>`,
        html`Открыт: ${p.created}`,
        p.ban === undefined ? undefined : html`⛔️ Заблокирован ${p.ban.at}: ${short(p.ban.reason)}`,
        EMPTY_LINE,
        html`Доступно: <b>${p.available}</b>, в холде: <b>${p.hold}</b>, можно вывести: <b>${p.withdrawable}</b>`,
        p.bots.length === 0
          ? html`Боты: нет`
          : html`Боты: ${p.bots.map((name) => `@${name}`).join(', ')}${p.moreBots > 0 ? ` и ещё ${p.moreBots}` : ''}`,
        p.orders.length === 0
          ? html`Заказы: нет`
          : html`Заказы: ${p.orders.map(({ status, count }) => `${status} ${count}`).join(', ')}`,
      ),
    credit: '💰 Зачислить деньги',
    ban: '⛔️ Заблокировать',
    unban: '✅ Разблокировать',
    list: '👤 К аккаунтам',
  },

  beta: {
    ask: html`🧪 <b>Бета-доступ</b>\n\nНапишите @имя бота.`,
    notFound: 'Такого бота нет. Напишите его имя, например @my_bot.',
    page: (p: {
      username: string;
      owner: Html;
      isActive: boolean;
      tokens: readonly { fingerprint: string; created: string; isBeta: boolean; until: string | undefined }[];
    }) =>
      lines(
        html`🧪 <b>@${p.username}</b>${p.isActive ? '' : ' · выключен'}`,
        html`Владелец: ${p.owner}\n`,
        p.tokens.length === 0 ? html`Токенов нет.` : html`Токены, новые сверху:`,
        ...p.tokens.map(
          ({ fingerprint, created, isBeta, until }) =>
            html`<code>${fingerprint}</code> от ${created}${isBeta ? ' · бета' : ''}${until === undefined ? '' : ` · до ${until}`}`,
        ),
      ),
    grant: '✅ Выдать доступ',
    revoke: '🚫 Забрать доступ',
    granted: 'Бета-доступ выдан.',
    revoked: 'Бета-доступ забран.',
    noTokens: 'У бота нет действующих токенов: владелец должен создать токен.',
    other: '🧪 Другой бот',
  },

  users: {
    ask: html`🚫 <b>Пользователи</b>\n\nНапишите Telegram ID пользователя. Заблокированному не дают заданий, и его подписки не засчитываются.`,
    wrongId: 'Нужен Telegram ID: только цифры, например 123456789.',
    page: (p: { id: number; ban: { at: string; reason: string } | undefined }) =>
      lines(
        html`👤 Пользователь <code>${p.id}</code>`,
        p.ban === undefined ? html`Не заблокирован.` : html`⛔️ Заблокирован ${p.ban.at}: ${short(p.ban.reason)}`,
      ),
    ban: '⛔️ Заблокировать',
    unban: '✅ Разблокировать',
    banned: 'Пользователь заблокирован.',
    unbanned: 'Пользователь разблокирован.',
    other: '🚫 Другой пользователь',
  },

  confirm: {
    approve: (p) => html`👍 Одобрить выплату №${p.id} на <b>${p.about}</b>?`,
    decline: (p) => html`🚫 Закрыть заявку на пополнение №${p.id} на <b>${p.about}</b> без оплаты?`,
    unban: (p) => html`✅ Разблокировать аккаунт №${p.id} (${short(p.about)})?`,
    unuser: (p) => html`✅ Разблокировать пользователя ${p.about}?`,
    prizes: (p) => html`✅ Одобрить итоги конкурса №${p.id} «${short(p.about)}» и выплатить призы?`,
    unfreeze: (p) => html`🔓 Разморозить вывод с аккаунта №${p.id} (${short(p.about)})?`,
    unfreezepay: (p) => html`🔓 Разморозить выплату №${p.id} на <b>${p.about}</b>?`,
    resume: (p) => html`▶️ Снять остановку с заказа №${p.id} «${short(p.about)}»?`,
    cancel: (p) => html`🚫 Отменить конкурс №${p.id} «${short(p.about)}»? Призы не будут выплачены.`,
    stop: (p) => html`⏹ Остановить рассылку №${p.id}? Кто её ещё не получил (${p.about}), уже не получит.`,
    qrestore: (p) => html`↩️ Вернуть рассчитанный уровень качества бота @${short(p.about)}?`,
    beta: (p) => html`🚫 Забрать бета-доступ у @${p.about}?`,
    checker: (p) =>
      html`🗑 Удалить проверяющего бота @${p.about}? Его каналы перейдут к другим ботам, где те администраторы; остальные заказы встанут на паузу.`,
  } satisfies ConfirmTexts as ConfirmTexts,
  reason: {
    ask: {
      order: html`🚫 <b>Почему заказ отклонён?</b>\n\nНапишите причину, её увидит владелец.`,
      payout: html`🚫 <b>Почему выплата отклонена?</b>\n\nНапишите причину, её увидит владелец.`,
      sent: html`✅ <b>Чем подтвердить отправку?</b>\n\nНапишите номер перевода или чека, его увидит владелец.`,
      account: html`⛔️ <b>За что блокируем аккаунт?</b>\n\nТокены его ботов перестанут работать, заказы остановятся, выплаты будут недоступны. Напишите причину, её видят только операторы.`,
      user: html`⛔️ <b>За что блокируем пользователя?</b>\n\nНапишите причину, её видят только операторы.`,
      freeze: html`🧊 <b>Почему замораживаем вывод?</b>\n\nВыплаты с аккаунта нельзя будет запросить, одобрить и отправить. Остальное работает. Причину видят только операторы.`,
      freezepay: html`🧊 <b>Почему замораживаем выплату?</b>\n\nЕё нельзя будет одобрить и отправить. Причину видят только операторы.`,
      credit: html`↩️ <b>Почему зачисление ошибочно?</b>\n\nСумма снимется встречной записью, один раз. Если деньги уже потрачены, останется долг. Причину видят только операторы.`,
      pause: html`⏸ <b>Почему останавливаем заказ?</b>\n\nЕго не будут показывать, и владелец не сможет его возобновить. Причину видят только операторы.`,
      cclear: html`✅ <b>Почему закрываем проверку?</b>\n\nЗаморозка, сделанная по ней, снимется. Напишите причину, её увидит владелец.`,
      chold: html`🧊 <b>Почему замораживаем вывод?</b>\n\nПроверка останется в очереди. Напишите причину, её увидит владелец.`,
      crev: html`↩️ <b>Почему отменяем подписки?</b>\n\nВознаграждения до конца холда вернутся, после него останется долг. Отменить это нельзя. Напишите причину, её увидит владелец.`,
      cban: html`⛔️ <b>За что блокируем аккаунт?</b>\n\nТокены его ботов перестанут работать, заказы остановятся. Напишите причину, её увидит владелец.`,
      qgood: html`👍 <b>Почему уровень качества – хороший?</b>\n\nОн заменит рассчитанный, пока вы его не вернёте. Причину видят только операторы.`,
      qwatched: html`👀 <b>Почему бот под наблюдением?</b>\n\nУровень заменит рассчитанный, пока вы его не вернёте. Причину видят только операторы.`,
      qlow: html`👎 <b>Почему уровень качества – низкий?</b>\n\nОн заменит рассчитанный, пока вы его не вернёте. Причину видят только операторы.`,
    } as Record<ReasonedActionName, Html>,
    confirm: {
      order: (p) => html`🚫 Отклонить заказ №${p.id}?\n\nПричина: ${p.text}`,
      payout: (p) => html`🚫 Отклонить выплату №${p.id}?\n\nПричина: ${p.text}`,
      sent: (p) => html`✅ Выплата №${p.id} отправлена?\n\nПодтверждение: ${p.text}`,
      account: (p) => html`⛔️ Заблокировать аккаунт №${p.id}?\n\nПричина: ${p.text}`,
      user: (p) => html`⛔️ Заблокировать пользователя ${p.id}?\n\nПричина: ${p.text}`,
      freeze: (p) => html`🧊 Заморозить вывод с аккаунта №${p.id}?\n\nПричина: ${p.text}`,
      freezepay: (p) => html`🧊 Заморозить выплату №${p.id}?\n\nПричина: ${p.text}`,
      credit: (p) => html`↩️ Снять это зачисление?\n\nПричина: ${p.text}`,
      pause: (p) => html`⏸ Остановить заказ №${p.id}?\n\nПричина: ${p.text}`,
      cclear: (p) => html`✅ Закрыть проверку №${p.id} без последствий?\n\nПричина: ${p.text}`,
      chold: (p) => html`🧊 Заморозить вывод по проверке №${p.id}?\n\nПричина: ${p.text}`,
      crev: (p) => html`↩️ Отменить подписки по проверке №${p.id}?\n\nПричина: ${p.text}`,
      cban: (p) => html`⛔️ Заблокировать аккаунт по проверке №${p.id}?\n\nПричина: ${p.text}`,
      qgood: (p) => html`👍 Считать качество бота №${p.id} хорошим?\n\nПричина: ${p.text}`,
      qwatched: (p) => html`👀 Взять бота №${p.id} под наблюдение?\n\nПричина: ${p.text}`,
      qlow: (p) => html`👎 Считать качество бота №${p.id} низким?\n\nПричина: ${p.text}`,
    } satisfies ReasonTexts as ReasonTexts,
  },

  ...operatorMoneyRu,
  ...operatorPlatformRu,
  ...operatorRiskRu,
  cases: operatorCasesRu,
  contests: operatorContestsRu,
};
