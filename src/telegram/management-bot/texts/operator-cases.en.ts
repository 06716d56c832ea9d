import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { operatorCasesRu } from './operator-cases.ru.ts';

const short = (text: string): string => clip(text, 300);

export const operatorCasesEn: typeof operatorCasesRu = {
  title: html`🔎 <b>Cases</b>\n\nThe most money at risk first.`,
  empty: html`🔎 No case is undecided.`,
  line: (p) => `${p.isHeld ? '🧊 ' : ''}${p.isAnswered ? '💬 ' : ''}No. ${p.id} · ${p.risk} · ${clip(p.kind, 34)}`,
  page: (p) =>
    lines(
      html`🔎 <b>Case ${p.id}</b> · ${p.status}`,
      html`<b>${p.kind}</b>: ${p.subject}`,
      html`Owner: ${p.owner}`,
      html`At risk: <b>${p.risk}</b>, opened ${p.opened}`,
      p.decision === undefined ? undefined : html`Decision: ${short(p.decision)}`,
      p.answer === undefined ? html`The owner has not answered.` : html`💬 Answer of the owner: ${clip(p.answer, 700)}`,
      EMPTY_LINE,
      ...p.figures.map(({ name, value }) => html`${name}: <b>${value}</b>`),
      ...p.reasons.map((reason) => html`• ${short(reason)}`),
      ...p.changes.map(({ name, before, after }) => html`${name}: ${clip(before, 80)} → <b>${clip(after, 80)}</b>`),
      p.shared.length === 0 ? undefined : html`\nShared: ${clip(p.shared.join('; '), 400)}`,
      p.examples.length === 0 ? undefined : html`\nExamples:`,
      ...p.examples.map((example) => html`• ${clip(example, 120)}`),
      p.more === 0 ? undefined : html`and ${p.more} more in the web console`,
      p.preview === undefined ? undefined : html`\n${p.preview}`,
    ),
  preview: (p) =>
    `A reversal would take back ${p.count} subscriptions worth ${p.reward}, of which ${p.settled} is settled.`,
  clear: '✅ Clear',
  hold: '🧊 Hold withdrawals',
  reverse: '↩️ Reverse the subscriptions',
  ban: '⛔️ Ban',
  graph: '🕸 Picture of the links',
  graphTitle: (p) => `Case ${p.id}`,
  graphCaption: (p) => html`🕸 <b>Case ${p.id}</b>: ${p.kind}. On the left who shares, on the right what they share.`,
  noGraph: 'The picture cannot be drawn now. The case lists what is shared.',
  toCase: '‹ To the case',
  toOrder: '🧾 Order',
  toBot: '🤖 Bot',
  queue: '🔎 To the cases',
  example: (p) =>
    [
      p.at,
      p.user === undefined ? undefined : `user ${p.user}`,
      p.bot === undefined ? undefined : `bot ${p.bot}`,
      p.order === undefined ? undefined : `order ${p.order}`,
      p.payout === undefined ? undefined : `payout ${p.payout}`,
      p.amount,
      p.note,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),

  ofPayout: {
    title: html`🔎 <b>Undecided cases</b>`,
    none: html`🔎 No case of this account is undecided.`,
    line: (p) => html`• No. ${p.id}: ${p.kind}, ${p.risk} at risk`,
    open: (p) => `🔎 Case ${p.id}`,
    approve: '👍 Approve, cases seen',
    confirm: (p) =>
      html`👍 Approve payout ${p.id} of <b>${p.amount}</b> although ${p.count} cases are undecided?\n\nThe log will say so.`,
  },
  quality: {
    title: html`⭐️ <b>Quality of the bots</b>`,
    line: (p) => html`• @${p.bot}: ${p.level}${p.score === undefined ? '' : `, ${p.score} of 100`}`,
    because: (p) => html`– ${short(p.text)}`,
    good: '👍 Good',
    watched: '👀 Watched',
    low: '👎 Low',
    restore: '↩️ Restore the computed level',
  },
};
