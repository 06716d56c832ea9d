import { clip, html, lines } from '../../../core/html.ts';
import type { casesRu } from './cases.ru.ts';

export const casesEn: typeof casesRu = {
  open: (p) => `🔎 Cases: ${p.count}`,
  title: html`🔎 <b>Cases about your account</b>\n\nThe newest first.`,
  empty: html`🔎 There were no cases.`,
  line: (p) => `No. ${p.id} · ${clip(p.kind, 30)} · ${clip(p.status, 30)}`,
  page: (p) =>
    lines(
      html`🔎 <b>Case ${p.id}</b> · ${p.status}`,
      html`<b>${p.kind}</b>: ${p.subject}, opened ${p.opened}\n`,
      html`${p.why}`,
      p.reason === undefined ? undefined : html`Reason of the decision: ${clip(p.reason, 300)}`,
      p.isUndecided ? html`Until the case is decided, payouts wait for an operator.` : undefined,
      p.answer === undefined ? undefined : html`\n💬 Your answer: ${clip(p.answer, 1500)}`,
    ),
  answer: '💬 Answer (once)',
  ask: html`💬 <b>Your answer</b>\n\nWrite what helps to understand the case. You can answer only once, with at most 2000 characters.`,
  confirm: (p) => html`💬 Send this answer? It cannot be changed later.\n\n${clip(p.text, 2000)}`,
  list: '🔎 To the cases',
};
