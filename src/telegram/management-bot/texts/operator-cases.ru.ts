import { clip, EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import type { Words } from './words.ts';

const short = (text: string): string => clip(text, 300);

export const operatorCasesRu = {
  title: html`🔎 <b>Проверки</b>\n\nСначала те, где под риском больше денег.`,
  empty: html`🔎 Нерешённых проверок нет.`,
  line: (p: Words<'risk' | 'kind'> & { id: number; isHeld: boolean; isAnswered: boolean }) =>
    `${p.isHeld ? '🧊 ' : ''}${p.isAnswered ? '💬 ' : ''}№${p.id} · ${p.risk} · ${clip(p.kind, 34)}`,
  page: (
    p: Words<'kind' | 'status' | 'risk' | 'subject' | 'opened'> & {
      id: number;
      owner: Html;
      figures: readonly { name: string; value: string }[];
      /** Sentences about a low score. */
      reasons: readonly string[];
      changes: readonly { name: string; before: string; after: string }[];
      examples: readonly string[];
      more: number;
      shared: readonly string[];
      decision: string | undefined;
      answer: string | undefined;
      preview: string | undefined;
    },
  ) =>
    lines(
      html`🔎 <b>Проверка №${p.id}</b> · ${p.status}`,
      html`<b>${p.kind}</b>: ${p.subject}`,
      html`Владелец: ${p.owner}`,
      html`Под риском: <b>${p.risk}</b>, открыта ${p.opened}`,
      p.decision === undefined ? undefined : html`Решение: ${short(p.decision)}`,
      p.answer === undefined ? html`Владелец не отвечал.` : html`💬 Ответ владельца: ${clip(p.answer, 700)}`,
      EMPTY_LINE,
      ...p.figures.map(({ name, value }) => html`${name}: <b>${value}</b>`),
      ...p.reasons.map((reason) => html`• ${short(reason)}`),
      ...p.changes.map(({ name, before, after }) => html`${name}: ${clip(before, 80)} → <b>${clip(after, 80)}</b>`),
      p.shared.length === 0 ? undefined : html`\nОбщее: ${clip(p.shared.join('; '), 400)}`,
      p.examples.length === 0 ? undefined : html`\nПримеры:`,
      ...p.examples.map((example) => html`• ${clip(example, 120)}`),
      p.more === 0 ? undefined : html`и ещё ${p.more} в веб-кабинете`,
      p.preview === undefined ? undefined : html`\n${p.preview}`,
    ),
  preview: (p: Words<'count' | 'reward' | 'settled'>) =>
    `Отмена затронет подписок: ${p.count} на ${p.reward}, из них уже закреплено ${p.settled}.`,
  clear: '✅ Закрыть',
  hold: '🧊 Заморозить вывод',
  reverse: '↩️ Отменить подписки',
  ban: '⛔️ Заблокировать',
  graph: '🕸 Схема связей',
  graphTitle: (p: { id: number }) => `Проверка №${p.id}`,
  graphCaption: (p: { id: number; kind: string }) =>
    html`🕸 <b>Проверка №${p.id}</b>: ${p.kind}. Слева те, кто делит, справа — что они делят.`,
  noGraph: 'Схему сейчас не нарисовать. Общее перечислено в самой проверке.',
  toCase: '‹ К проверке',
  toOrder: '🧾 Заказ',
  toBot: '🤖 Бот',
  queue: '🔎 К проверкам',
  example: (p: {
    at: string;
    user: number | undefined;
    bot: number | undefined;
    order: number | undefined;
    payout: number | undefined;
    amount: string | undefined;
    note: string | undefined;
  }) =>
    [
      p.at,
      p.user === undefined ? undefined : `пользователь ${p.user}`,
      p.bot === undefined ? undefined : `бот ${p.bot}`,
      p.order === undefined ? undefined : `заказ ${p.order}`,
      p.payout === undefined ? undefined : `выплата ${p.payout}`,
      p.amount,
      p.note,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),

  /** On the screen of a payout. */
  ofPayout: {
    title: html`🔎 <b>Нерешённые проверки</b>`,
    none: html`🔎 Нерешённых проверок нет.`,
    line: (p: Words<'kind' | 'risk'> & { id: number }) => html`• №${p.id}: ${p.kind}, под риском ${p.risk}`,
    open: (p: { id: number }) => `🔎 Проверка №${p.id}`,
    approve: '👍 Одобрить, проверки видел',
    confirm: (p: { id: number; amount: string; count: string }) =>
      html`👍 Одобрить выплату №${p.id} на <b>${p.amount}</b>, хотя нерешённых проверок: ${p.count}?\n\nЭто попадёт в журнал.`,
  },
  quality: {
    title: html`⭐️ <b>Качество ботов</b>`,
    line: (p: Words<'bot' | 'level'> & { score: string | undefined }) =>
      html`• @${p.bot}: ${p.level}${p.score === undefined ? '' : `, ${p.score} из 100`}`,
    because: (p: { text: string }) => html`– ${short(p.text)}`,
    good: '👍 Хороший',
    watched: '👀 Под наблюдением',
    low: '👎 Низкий',
    restore: '↩️ Вернуть рассчитанный',
  },
};
