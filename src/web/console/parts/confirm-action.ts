import { type Html, html } from '../../../core/html.ts';
import type { ActionOptions, ConsoleRouter, HandleForm } from '../router.ts';
import type { Crumb, Page, Visit } from '../visit.ts';
import { type FormSpec, form } from './form.ts';

export interface Confirmation extends Pick<FormSpec, 'fields' | 'submit' | 'isIdempotent'> {
  readonly title: string;
  /** Explains the effect of the action. */
  readonly text: string;
  /** The last crumb is the page that "cancel" leads to. */
  readonly crumbs: readonly [Crumb, ...Crumb[]];
  /** Facts for the decision, shown above the text. */
  readonly lead?: Html;
  /** The path of the action; the path of this page unless given. */
  readonly action?: string;
  readonly style?: 'danger' | 'primary';
}

/** Asks before an action that cannot be undone. A page of its own works without scripts too. */
export function confirmPage(visit: Visit, confirmation: Confirmation): Page {
  const { title, text, crumbs, lead, action = visit.path, style = 'danger', ...rest } = confirmation;
  const extra = html`<a class="button" href="${crumbs.at(-1)?.href ?? ''}">${visit.texts.common.cancel}</a>`;
  const body = html`${lead}<section class="panel"><p>${text}</p>${form(visit, { ...rest, action, style, extra })}</section>`;
  return { title, crumbs, body };
}

/** Adds an action and, at the same path, the page that asks before it. */
export function confirmedAction(
  router: ConsoleRouter,
  path: string,
  { ask, act, ...options }: ActionOptions & { ask: (visit: Visit) => Promise<Confirmation>; act: HandleForm },
): void {
  router.page(path, async (visit) => confirmPage(visit, await ask(visit)), options);
  router.action(path, act, options);
}
