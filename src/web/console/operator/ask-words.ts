import { html } from '../../../core/html.ts';
import { confirmPage } from '../parts/confirm.ts';
import { textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import type { Crumb, Page, Redirect, Visit } from '../visit.ts';
import { FOR_OPERATORS } from './operator-path.ts';

export const MAX_WORDS = 300;

/** What people write in a line: no breaks, no spaces around it. Nothing when it is empty or too long. */
export function lineIn(form: URLSearchParams, name: string): string | undefined {
  const line = (form.get(name) ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line !== '' && line.length <= MAX_WORDS ? line : undefined;
}

export interface DecisionWithWords {
  /** Of the question and of its answer. */
  readonly path: string;
  readonly section: string;
  readonly look: 'danger' | 'primary';
  readonly words: (visit: Visit) => {
    readonly title: string;
    readonly text: string;
    readonly field: string;
    readonly hint: string;
    readonly submit: string;
  };
  /** The page it is decided about; throws when that is not there. */
  about(visit: Visit): Promise<Crumb>;
  /** The list that page is in. */
  list(visit: Visit): Crumb;
  /** Carried out twice, the second time changes nothing. */
  carryOut(visit: Visit, text: string): Promise<Redirect>;
}

/** A decision that says why, or what proves it: asked on a page of its own. */
export function askWords(router: ConsoleRouter, decision: DecisionWithWords): void {
  async function ask(visit: Visit, typed?: string): Promise<Page> {
    const words = decision.words(visit);
    const subject = await decision.about(visit);
    const isWrong = typed !== undefined;
    const field = textField({
      name: 'text',
      label: words.field,
      hint: words.hint,
      value: typed ?? '',
      maxLength: MAX_WORDS,
      isRequired: true,
      error: isWrong ? visit.texts.operator.wrongText : undefined,
    });
    const page = confirmPage(visit, {
      title: words.title,
      section: decision.section,
      crumbs: [decision.list(visit), subject],
      text: words.text,
      action: visit.path,
      submit: words.submit,
      fields: html`${field}`,
      back: subject.href,
      look: decision.look,
    });
    return isWrong ? { ...page, status: 422 } : page;
  }

  router.page(decision.path, (visit) => ask(visit), FOR_OPERATORS);
  router.action(
    decision.path,
    async (visit, sent) => {
      const text = lineIn(sent, 'text');
      return text === undefined ? ask(visit, sent.get('text') ?? '') : decision.carryOut(visit, text);
    },
    { ...FOR_OPERATORS, back: (visit) => visit.path },
  );
}
