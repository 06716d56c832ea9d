import { confirmPage } from '../parts/confirm-action.ts';
import { textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import type { Crumb, Page, Redirect, Visit } from '../visit.ts';

export const MAX_REASON = 300;

/** Returns a text on one line; undefined when it is empty or too long. */
export function readLine(form: URLSearchParams, name: string): string | undefined {
  const line = (form.get(name) ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line !== '' && line.length <= MAX_REASON ? line : undefined;
}

export interface DecisionWithReason {
  readonly style: 'danger' | 'primary';
  readonly words: (
    texts: Visit['texts']['operator'],
    visit: Visit,
  ) => {
    readonly title: string;
    readonly text: string;
    readonly field: string;
    readonly hint: string;
    readonly submit: string;
  };
  /** The page of the decision's subject is the last crumb. Throws when the subject does not exist. */
  crumbs(visit: Visit): Promise<[Crumb, ...Crumb[]]>;
  /** A repeated call changes nothing. */
  act(visit: Visit, reason: string): Promise<Redirect>;
}

/** Adds a decision that needs a reason or a reference, and the page that asks for it. */
export function askReason(router: ConsoleRouter, path: string, decision: DecisionWithReason): void {
  async function ask(visit: Visit, rejected?: string): Promise<Page> {
    const { field, hint, ...words } = decision.words(visit.texts.operator, visit);
    const error = rejected === undefined ? undefined : visit.shared.inputs.textLength;
    const page = confirmPage(visit, {
      ...words,
      crumbs: await decision.crumbs(visit),
      fields: textField({
        name: 'text',
        label: field,
        hint,
        value: rejected ?? '',
        maxLength: MAX_REASON,
        isRequired: true,
        error,
      }),
      style: decision.style,
    });
    return error === undefined ? page : { ...page, status: 422 };
  }

  router.page(path, (visit) => ask(visit));
  router.action(
    path,
    async (visit, sent) => {
      const reason = readLine(sent, 'text');
      return reason === undefined ? ask(visit, sent.get('text') ?? '') : decision.act(visit, reason);
    },
    { back: (visit) => visit.path },
  );
}
