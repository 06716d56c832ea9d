import { clip, html, lines } from '../../../core/html.ts';
import type { Formats } from '../../../core/locale.ts';
import type { NoticeKind } from '../../../modules/notices/index.ts';

const short = (text: string): string => clip(text, 200);

export const noticesRu = {
  choose: html`🔔 О чём сообщать? Нажмите, чтобы включить или выключить.`,
  mute: '🔕 Не сообщать об этом',
  muted: 'Больше не сообщаю. Включить снова можно в меню «Уведомления».',
  open: {
    order: 'Открыть заказ',
    bot: 'Открыть бота',
    balance: 'Открыть баланс',
    contests: 'Открыть конкурсы',
    moderate: 'Проверить заказ',
    webhook: 'Открыть вебхук',
    case: 'Открыть проверку',
    decide: 'Открыть проверку',
    checkers: 'Открыть проверяющих ботов',
  },
  kinds: {
    subscriptions_reversed: 'Отмены подписок',
    order_paused: 'Заказ остановлен: нет прав',
    order_removals: 'Заказ остановлен: удаляют подписчиков',
    order_low_approval: 'Заказ остановлен: почти никто не подтверждён',
    order_completed: 'Заказ выполнен',
    order_approved: 'Заказ одобрен',
    order_rejected: 'Заказ отклонён',
    chat_migrated: 'Группа стала супергруппой',
    order_link_changed: 'Ссылка заказа заменена',
    payout_sent: 'Выплата отправлена',
    payout_returned: 'Выплата не состоялась',
    balance_credited: 'Баланс пополнен',
    source_level: 'Качество бота изменилось',
    contest_result: 'Итоги конкурса',
    order_in_moderation: 'Заказ ждёт проверки',
    webhook_disabled: 'Вебхук отключён',
    case_opened: 'Проверка аккаунта',
    case_decided: 'Решение по проверке',
    case_waits: 'Новая проверка в очереди',
    case_answered: 'Ответ владельца на проверку',
    checker_stopped: 'Проверяющий бот остановлен',
    checker_conflict: 'Проверяющий бот занят другой программой',
  } satisfies Record<NoticeKind, string>,
  subscriptionsReversed: (p: { number: number; count: string; amount: string; plural: Formats['plural'] }) =>
    html`↩️ За последний час ${p.plural(p.number, 'отменена', 'отменены', 'отменено')} <b>${p.count}</b> ${p.plural(p.number, 'подписка', 'подписки', 'подписок')}: пользователи вышли раньше суток. Снято <b>${p.amount}</b>.`,
  orderPaused: (p: { order_id: number; title: string; because: string }) =>
    lines(html`⏸ Заказ №${p.order_id} «${short(p.title)}» приостановлен.`, html`${p.because}`),
  orderRemovals: (p: { order_id: number; title: string; number: number; count: string; plural: Formats['plural'] }) =>
    lines(
      html`⏸ Заказ №${p.order_id} «${short(p.title)}» приостановлен: администраторы удалили <b>${p.count}</b> ${p.plural(p.number, 'засчитанного подписчика', 'засчитанных подписчиков', 'засчитанных подписчиков')}.`,
      html`За удалённых подписчиков деньги не возвращаются.`,
    ),
  orderLowApproval: (p: { order_id: number; title: string; percent: number }) =>
    lines(
      html`⏸ Заказ №${p.order_id} «${short(p.title)}» приостановлен: ваша сторона подтвердила только <b>${p.percent} %</b> пользователей.`,
      html`Нет ответа за 72 часа – это отказ. Проверьте postback и возобновите заказ.`,
    ),
  orderCompleted: (p: { order_id: number; name: string; subscribers: string; spent: string }) =>
    html`🏁 Заказ №${p.order_id} «${short(p.name)}» выполнен. Подписчиков: <b>${p.subscribers}</b>, потрачено <b>${p.spent}</b>.`,
  orderApproved: (p: { order_id: number; title: string }) =>
    html`✅ Заказ №${p.order_id} «${short(p.title)}» одобрен и уже показывается.`,
  orderRejected: (p: { order_id: number; title: string; reason: string }) =>
    lines(
      html`🚫 Заказ №${p.order_id} «${short(p.title)}» отклонён: ${short(p.reason)}.`,
      html`Деньги вернулись на баланс.`,
    ),
  chatMigrated: (p: { order_id: number; title: string }) =>
    html`👥 Группа заказа №${p.order_id} «${short(p.title)}» стала супергруппой. Заказ продолжается в ней, делать ничего не нужно.`,
  orderLinkChanged: (p: { order_id: number; title: string; link: string }) =>
    html`🔗 Прежняя ссылка заказа №${p.order_id} «${short(p.title)}» больше не ведёт в ваш чат. Теперь показывается ${short(p.link)}`,
  payoutSent: (p: { payout_id: number; amount: string; reference: string }) =>
    lines(
      html`💸 Выплата №${p.payout_id} на <b>${p.amount}</b> отправлена.`,
      p.reference === '' ? undefined : html`Подтверждение: <code>${short(p.reference)}</code>`,
    ),
  payoutReturned: (p: { payout_id: number; amount: string; reason: string }) =>
    html`↩️ Выплата №${p.payout_id} не состоялась: ${short(p.reason)}. <b>${p.amount}</b> снова на балансе.`,
  balanceCredited: (p: { amount: string }) => html`💰 Баланс пополнен на <b>${p.amount}</b>.`,
  sourceLevel: (p: { username: string; level: string }) =>
    html`⭐️ Качество @${p.username} теперь: <b>${p.level}</b>. На странице бота видно, почему, что меняется и что поможет.`,
  sourceUnscored: (p: { username: string }) =>
    html`⭐️ У @${p.username} сейчас нет оценки качества: недавних подписок мало. Действуют правила для новых ботов.`,
  contestResult: (p: { name: string; rank: number; score: string; prize: string | undefined }) =>
    lines(
      html`🏆 Конкурс «${short(p.name)}» завершён. Ваше место: <b>${p.rank}</b>, подписок: ${p.score}.`,
      p.prize === undefined ? undefined : html`Приз <b>${p.prize}</b> уже на балансе.`,
    ),
  orderInModeration: (p: { order_id: number; title: string }) =>
    html`🧾 Заказ №${p.order_id} «${short(p.title)}» ждёт проверки.`,
  caseOpened: (p: { case_id: number; kind: string; why: string }) =>
    lines(
      html`🔎 Открыта проверка №${p.case_id}: ${p.kind}.`,
      html`${p.why} Пока она не решена, выплаты ждут оператора. Вы можете один раз ответить.`,
    ),
  caseDecided: (p: { case_id: number; kind: string; decision: string; reason: string; canAnswer: boolean }) =>
    lines(
      html`🔎 Проверка №${p.case_id} (${p.kind}): <b>${p.decision}</b>.`,
      html`Причина: ${short(p.reason)}`,
      p.canAnswer ? html`Вы можете один раз ответить.` : undefined,
    ),
  caseWaits: (p: { case_id: number; kind: string }) => html`🔎 Новая проверка №${p.case_id}: ${p.kind}.`,
  caseAnswered: (p: { case_id: number; kind: string }) =>
    html`💬 Владелец ответил на проверку №${p.case_id} (${p.kind}).`,
  webhookDisabled: (p: { webhook_id: number; url: string }) =>
    lines(
      html`🔌 Вебхук №${p.webhook_id} отключён: адрес слишком долго не отвечает или просил больше не слать.`,
      html`<code>${short(p.url)}</code>`,
    ),
  checkerStopped: (p: { username: string }) =>
    html`🤖 Telegram не принимает токен проверяющего бота @${p.username}. Каналы перешли к другим ботам, где те администраторы; остальные заказы встали на паузу. Получите новый токен в @BotFather и добавьте бота снова.`,
  checkerConflict: (p: { username: string }) =>
    html`🤖 Обновления проверяющего бота @${p.username} забирает другая программа. Остановите её или выпустите новый токен и добавьте бота снова.`,
};
