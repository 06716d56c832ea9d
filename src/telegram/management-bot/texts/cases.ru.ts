import { clip, html, lines } from '../../../core/html.ts';
import type { Words } from './words.ts';

export const casesRu = {
  open: (p: { count: string }) => `🔎 Проверки: ${p.count}`,
  title: html`🔎 <b>Проверки вашего аккаунта</b>\n\nСначала новые.`,
  empty: html`🔎 Проверок не было.`,
  line: (p: Words<'kind' | 'status'> & { id: number }) => `№${p.id} · ${clip(p.kind, 30)} · ${clip(p.status, 30)}`,
  page: (
    p: Words<'kind' | 'why' | 'status' | 'subject' | 'opened'> & {
      id: number;
      reason: string | undefined;
      answer: string | undefined;
      isUndecided: boolean;
    },
  ) =>
    lines(
      html`🔎 <b>Проверка №${p.id}</b> · ${p.status}`,
      html`<b>${p.kind}</b>: ${p.subject}, открыта ${p.opened}\n`,
      html`${p.why}`,
      p.reason === undefined ? undefined : html`Причина решения: ${clip(p.reason, 300)}`,
      p.isUndecided ? html`Пока проверка не решена, выплаты ждут оператора.` : undefined,
      p.answer === undefined ? undefined : html`\n💬 Ваш ответ: ${clip(p.answer, 1500)}`,
    ),
  answer: '💬 Ответить (один раз)',
  ask: html`💬 <b>Ваш ответ</b>\n\nНапишите всё, что поможет разобраться. Ответить можно только один раз, до 2000 символов.`,
  confirm: (p: { text: string }) => html`💬 Отправить этот ответ? Изменить его потом нельзя.\n\n${clip(p.text, 2000)}`,
  list: '🔎 К проверкам',
};
