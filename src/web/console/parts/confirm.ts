import { type Html, html } from '../../../core/html.ts';
import type { Crumb, Page, Visit } from '../visit.ts';
import { form } from './form.ts';
import { NOTHING } from './pieces.ts';

/** Asks once before something that cannot be taken back: a page of its own, so that it works without scripts too. */
export function confirmPage(
  visit: Visit,
  question: {
    readonly title: string;
    readonly section: string;
    readonly crumbs: readonly Crumb[];
    /** What will happen, and what will not. */
    readonly text: string;
    /** Stands above the question: what to decide from. */
    readonly lead?: Html;
    readonly action: string;
    readonly submit: string;
    readonly fields?: Html;
    readonly back: string;
    readonly look?: 'danger' | 'primary';
    readonly isOnceOnly?: boolean;
  },
): Page {
  const { action, submit, fields = NOTHING, back, look = 'danger', isOnceOnly = false } = question;
  const extra = html`<a class="button" href="${back}">${visit.texts.common.cancel}</a>`;
  return {
    title: question.title,
    section: question.section,
    crumbs: question.crumbs,
    body: html`${question.lead ?? NOTHING}<section class="panel"><p>${question.text}</p>${form(visit, { action, submit, fields, look, isOnceOnly, extra })}</section>`,
  };
}
