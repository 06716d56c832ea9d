import { clip, EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import type { PayoutMethod } from '../../../modules/payouts/index.ts';
import type { Words } from './words.ts';

const short = (text: string): string => clip(text, 120);

export const balanceRu = {
  overview: (p: {
    available: string;
    hold: string;
    /** The part of the available money that is reversed if its subscribers leave. */
    unsettled: string | undefined;
    withdrawable: string;
    debt: string | undefined;
    releases: readonly { at: string; isUntil: boolean; amount: string; count: string }[];
    later: string | undefined;
  }) =>
    lines(
      html`💰 <b>Баланс</b>\n`,
      html`Доступно: <b>${p.available}</b>`,
      html`В холде: <b>${p.hold}</b>`,
      p.unsettled === undefined
        ? undefined
        : html`Можно вывести: <b>${p.withdrawable}</b>. Ещё <b>${p.unsettled}</b> закрепится через сутки после подписки, если подписчики не уйдут.`,
      p.debt === undefined
        ? undefined
        : html`⚠️ Долг: <b>${p.debt}</b>. Его погасят следующие начисления, потом снова можно будет выводить.`,
      ...(p.releases.length === 0 ? [] : [EMPTY_LINE, html`⏳ Выйдет из холда, если подписчики не уйдут:`]),
      ...p.releases.map(
        ({ at, isUntil, amount, count }) => html`• ${isUntil ? 'до ' : ''}${at}: <b>${amount}</b> (подписок: ${count})`,
      ),
      p.later === undefined ? undefined : html`• позже: <b>${p.later}</b>`,
    ),
  history: '📜 История',
  withdraw: '📤 Вывести',
  payouts: '🧾 Выплаты',
  deposit: '📥 Пополнить',
  toBalance: '💰 Баланс',

  historyTitle: html`📜 <b>История движений</b>`,
  inHold: ' (холд)',

  tooLittle: (p: { withdrawable: string; minimum: string }) =>
    lines(
      html`📤 <b>Вывод денег</b>\n`,
      html`Можно вывести <b>${p.withdrawable}</b>, а минимум выплаты <b>${p.minimum}</b>.`,
      html`Награда закрепляется через сутки после подписки или когда закончится холд, если он дольше. До этого её нельзя вывести.`,
    ),
  chooseMethod: html`📤 <b>Вывод денег</b>\n\nКуда отправить деньги?`,
  askAmount: (p: { withdrawable: string; minimum: string }) =>
    lines(
      html`📤 <b>Сколько вывести?</b>\n`,
      html`Можно вывести <b>${p.withdrawable}</b>, минимум <b>${p.minimum}</b>.`,
      html`Напишите сумму в рублях.`,
    ),
  all: (p: { amount: string }) => `Всё: ${p.amount}`,
  askDestination: {
    manual: html`💳 <b>Куда перевести?</b>\n\nНапишите номер карты, телефон для СБП с названием банка или адрес кошелька. Перевод делает оператор вручную.`,
    'crypto-pay': html`💎 <b>Кому в Crypto Bot?</b>\n\nДеньги придут в @CryptoBot. Обычно это вы сами; для другого получателя напишите его Telegram ID. Получатель должен хотя бы раз запустить @CryptoBot.`,
  } as Record<PayoutMethod, Html>,
  toMyself: (p: { id: number }) => `Мне (${p.id})`,
  wrongDestination: {
    manual: 'Нужна одна строка до 256 символов: реквизиты, по которым можно перевести.',
    'crypto-pay': 'Нужен Telegram ID: только цифры, например 123456789.',
  } as Record<PayoutMethod, string>,
  payoutSummary: (p: { amount: string; method: string; destination: string }) =>
    lines(
      html`📤 <b>Проверьте заявку</b>\n`,
      html`Сумма: <b>${p.amount}</b>`,
      html`Способ: ${p.method}`,
      html`Получатель: <code>${p.destination}</code>\n`,
      html`Деньги сразу спишутся с баланса и вернутся, если выплата не состоится. Отправить заявку?`,
    ),
  noOperators: html`⚠️ Операторы не назначены: выплату некому одобрить, и она будет ждать.`,
  requested: (p: { id: number; amount: string }) =>
    lines(
      html`✅ Заявка на выплату №<b>${p.id}</b> принята: <b>${p.amount}</b>.`,
      html`Оператор рассмотрит её, о результате придёт уведомление.`,
    ),

  payoutsTitle: html`🧾 <b>Выплаты</b>`,
  payoutLine: (
    p: Words<'amount' | 'at' | 'status'> & { id: number; reason: string | null; reference: string | null },
  ) =>
    lines(
      html`№${p.id} · <b>${p.amount}</b> · ${p.at}`,
      html`${p.status}`,
      p.reason === null ? undefined : html`Причина: ${short(p.reason)}`,
      p.reference === null ? undefined : html`Подтверждение: <code>${short(p.reference)}</code>`,
      EMPTY_LINE,
    ),

  askDeposit: {
    play: html`📥 <b>На сколько пополнить?</b>\n\nЭто песочница: деньги игрушечные и придут сразу. Напишите сумму в рублях.`,
    crypto: html`📥 <b>На сколько пополнить?</b>\n\nОплата криптовалютой через @CryptoBot. Напишите сумму в рублях, пришлю счёт.`,
    operator: html`📥 <b>На сколько пополнить?</b>\n\nНапишите сумму в рублях. Оператор свяжется с вами, расскажет, как оплатить, и зачислит деньги.`,
  },
  confirmDeposit: (p: { amount: string }) => html`📥 Отправить оператору заявку на пополнение на <b>${p.amount}</b>?`,
  otherWay: { play: '🎲 Игрушечные деньги', crypto: '💎 Через Crypto Bot', operator: '👤 Через оператора' },
  noWay: html`📥 Пополнить сейчас нельзя: приём платежей ещё не настроен. Загляните позже.`,
  deposited: (p: { amount: string; available: string }) =>
    lines(html`✅ Баланс пополнен на <b>${p.amount}</b>.`, html`Доступно: <b>${p.available}</b>.`),
  invoice: (p: { amount: string; until: string }) =>
    lines(
      html`💎 Счёт на оплату <b>${p.amount}</b> готов, оплатить его можно до ${p.until}.`,
      html`Деньги зачислятся сами, обычно за минуту после оплаты.`,
    ),
  pay: (p: { amount: string }) => `💳 Оплатить ${p.amount}`,
  check: '🔄 Проверить оплату',
  notPaidYet: 'Оплата ещё не пришла.',
  invoiceExpired: 'Этот счёт просрочен. Создайте новый.',
  providerAway: 'Crypto Bot сейчас не отвечает. Попробуйте ещё раз или другой способ.',
  depositAsked: (p: { id: number; amount: string; accountId: number }) =>
    lines(
      html`✅ Заявка на пополнение №<b>${p.id}</b> на <b>${p.amount}</b> отправлена оператору.`,
      html`Он напишет вам, как оплатить. Номер вашего аккаунта: <b>${p.accountId}</b>.`,
    ),
  tooManyOpen: (p: { most: number }) =>
    `У вас уже ${p.most} открытых заявок на пополнение. Дождитесь, пока оператор ответит.`,

  contestsTitle: html`🏆 <b>Конкурсы</b>\n\nПобеждает тот, кто за время конкурса больше всех заработал на закреплённых подписках. Дешёвые заказы, заказы с внешней проверкой и свои заказы не считаются.`,
  noContests: html`🏆 Конкурсов пока не было. Загляните позже!`,
  contestButton: (p: { name: string; status: string; rank: number | null }) =>
    `${clip(p.name, 30)} · ${p.status}${p.rank === null ? '' : ` · ${p.rank} место`}`,
  contest: (
    p: Words<'name' | 'status' | 'from' | 'until' | 'participants'> & {
      left: string | undefined;
      own: { rank: number; score: string; revenue: string } | undefined;
      prize: string | undefined;
      prizes: readonly { place: number; amount: string }[];
      morePrizes: number;
      leaders: readonly { rank: number; accountId: number; score: string; isMe: boolean }[];
    },
  ) =>
    lines(
      html`🏆 <b>${p.name}</b> · ${p.status}`,
      html`${p.from} – ${p.until} (МСК)`,
      p.left === undefined ? undefined : html`⏱ Осталось: <b>${p.left}</b>`,
      html`Участников: ${p.participants}\n`,
      p.own === undefined
        ? html`У вас пока нет засчитанных подписок.`
        : html`Ваше место: <b>${p.own.rank}</b>, подписок: <b>${p.own.score}</b> на <b>${p.own.revenue}</b>`,
      p.prize === undefined ? undefined : html`Ваш приз: <b>${p.prize}</b>`,
      EMPTY_LINE,
      html`🎁 Призы:`,
      ...p.prizes.map(({ place, amount }) => html`${place} место: ${amount}`),
      p.morePrizes === 0 ? undefined : html`и ещё мест с призами: ${p.morePrizes}`,
      ...(p.leaders.length === 0 ? [] : [EMPTY_LINE, html`Лидеры:`]),
      ...p.leaders.map(
        ({ rank, accountId, score, isMe }) => html`${rank}. аккаунт №${accountId}${isMe ? ' (вы)' : ''}: ${score}`,
      ),
    ),
  left: (p: { days: number; hours: number; minutes: number }) =>
    p.days > 0 ? `${p.days} дн. ${p.hours} ч` : p.hours > 0 ? `${p.hours} ч ${p.minutes} мин` : `${p.minutes} мин`,

  toOperators: {
    payout: (p: { id: number; amount: string; accountId: number; name: string }) =>
      html`💸 Заявка на выплату №<b>${p.id}</b>: <b>${p.amount}</b>, аккаунт №${p.accountId} (${short(p.name)}).`,
    deposit: (p: { id: number; amount: string; accountId: number; name: string; userId: number }) =>
      lines(
        html`💳 Аккаунт №<b>${p.accountId}</b> просит пополнить баланс на <b>${p.amount}</b> (заявка №${p.id}).`,
        html`Написать владельцу: <a href="tg://user?id=${p.userId}">${short(p.name)}</a>`,
      ),
    open: 'Открыть заявку',
    credit: '💰 Зачислить',
  },
};
