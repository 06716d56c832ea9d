import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';

export const operatorContestsRu = {
  title: html`🏆 <b>Конкурсы</b>`,
  create: '➕ Новый конкурс',
  line: (p: { id: number; name: string; status: string }) => `№${p.id} · ${clip(p.name, 28)} · ${p.status}`,
  page: (p: {
    id: number;
    name: string;
    status: string;
    from: string;
    until: string;
    prizes: string;
    standings: readonly {
      rank: number;
      accountId: number;
      revenue: string;
      score: string;
      prize: string | undefined;
    }[];
    isWaiting: boolean;
  }) =>
    lines(
      html`🏆 <b>Конкурс №${p.id}: ${p.name}</b> · ${p.status}`,
      html`${p.from} – ${p.until} (МСК)`,
      html`Призы: ${clip(p.prizes, 500)}\n`,
      p.standings.length === 0 ? html`Участников пока нет.` : html`Места:`,
      ...p.standings.map(
        ({ rank, accountId, revenue, score, prize }) =>
          html`${rank}. аккаунт №${accountId}: ${revenue} (подписок: ${score})${prize === undefined ? '' : ` → ${prize}`}`,
      ),
      ...(p.isWaiting ? [EMPTY_LINE, html`⏳ Проверьте итоги: призы уйдут, когда вы их одобрите.`] : []),
    ),
  approve: '✅ Одобрить призы',
  cancel: '🚫 Отменить конкурс',
  list: '🏆 К конкурсам',
  askName: html`🏆 <b>Новый конкурс</b>\n\nКак он называется? До 100 символов.`,
  nameLength: 'Нужно название до 100 символов.',
  askStart: html`📅 <b>Когда начало?</b>\n\nНапишите дату и время по Москве, например <code>2026-12-01 12:00</code>, или выберите.`,
  askEnd: (p: { start: string }) =>
    html`📅 <b>Когда конец?</b>\n\nНачало: ${p.start}. Напишите дату и время по Москве, например <code>2026-12-08 12:00</code>, или выберите.`,
  wrongTime: 'Не понимаю дату. Напишите, например, 2026-12-01 12:00.',
  endBeforeStart: 'Конец должен быть позже начала.',
  endInPast: 'Конец должен быть в будущем.',
  now: 'Сейчас',
  tomorrow: 'Завтра в 00:00',
  monday: 'В понедельник в 00:00',
  days: { 7: 'Неделя', 14: 'Две недели', 30: '30 дней' },
  askPrizes: html`🎁 <b>Какие призы?</b>\n\nНапишите суммы в рублях по местам через запятую, например <code>5000, 3000, 1000</code>.`,
  wrongPrizes: (p: { most: string }) =>
    `Нужны суммы через запятую, например 5000, 3000, 1000. Мест с призами не больше ${p.most}.`,
  summary: (p: { name: string; from: string; until: string; prizes: string; total: string }) =>
    lines(
      html`🏆 <b>Создать конкурс?</b>\n`,
      html`Название: <b>${p.name}</b>`,
      html`Время: ${p.from} – ${p.until} (МСК)`,
      html`Призы: ${clip(p.prizes, 1000)}`,
      html`Призовой фонд: <b>${p.total}</b>`,
    ),
  created: 'Конкурс создан.',
  refused: 'Так конкурс создать нельзя: проверьте время и призы.',
};
