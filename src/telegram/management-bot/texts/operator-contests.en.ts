import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { operatorContestsRu } from './operator-contests.ru.ts';

export const operatorContestsEn: typeof operatorContestsRu = {
  title: html`🏆 <b>Contests</b>`,
  create: '➕ New contest',
  line: (p) => `No. ${p.id} · ${clip(p.name, 28)} · ${p.status}`,
  page: (p) =>
    lines(
      html`🏆 <b>Contest ${p.id}: ${p.name}</b> · ${p.status}`,
      html`${p.from} – ${p.until} (Moscow time)`,
      html`Prizes: ${clip(p.prizes, 500)}\n`,
      p.standings.length === 0 ? html`No participants yet.` : html`Standings:`,
      ...p.standings.map(
        ({ rank, accountId, revenue, score, prize }) =>
          html`${rank}. account ${accountId}: ${revenue} (subscriptions: ${score})${prize === undefined ? '' : ` → ${prize}`}`,
      ),
      ...(p.isWaiting ? [EMPTY_LINE, html`⏳ Check the results: prizes go out when you approve them.`] : []),
    ),
  approve: '✅ Approve the prizes',
  cancel: '🚫 Cancel the contest',
  list: '🏆 To the contests',
  askName: html`🏆 <b>New contest</b>\n\nWhat is it called? At most 100 characters.`,
  nameLength: 'It needs a name of at most 100 characters.',
  askStart: html`📅 <b>When does it begin?</b>\n\nWrite date and time in Moscow, for example <code>2026-12-01 12:00</code>, or choose.`,
  askEnd: (p) =>
    html`📅 <b>When does it end?</b>\n\nIt begins ${p.start}. Write date and time in Moscow, for example <code>2026-12-08 12:00</code>, or choose.`,
  wrongTime: 'That is not a date I understand. Write for example 2026-12-01 12:00.',
  endBeforeStart: 'The end must come after the beginning.',
  endInPast: 'The end must lie in the future.',
  now: 'Now',
  tomorrow: 'Tomorrow 00:00',
  monday: 'Monday 00:00',
  days: { 7: 'A week', 14: 'Two weeks', 30: '30 days' },
  askPrizes: html`🎁 <b>Which prizes?</b>\n\nWrite the amounts in rubles by place with commas between, for example <code>5000, 3000, 1000</code>.`,
  wrongPrizes: (p) => `Amounts with commas between, please, for example 5000, 3000, 1000. At most ${p.most} places.`,
  summary: (p) =>
    lines(
      html`🏆 <b>Create this contest?</b>\n`,
      html`Name: <b>${p.name}</b>`,
      html`Time: ${p.from} – ${p.until} (Moscow time)`,
      html`Prizes: ${clip(p.prizes, 1000)}`,
      html`All prizes together: <b>${p.total}</b>`,
    ),
  created: 'The contest is created.',
  refused: 'Such a contest cannot be created: check time and prizes.',
};
