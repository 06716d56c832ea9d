import { html } from '../../../core/html.ts';
import { changeLink, deleteLink } from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, readId, type Visit } from '../visit.ts';
import { inputOf, linkForm, readDraft } from './link-form.ts';
import { LINKS, linkCrumbs, linkNotFound, nameOf, pathOf, requireLink } from './link-path.ts';

export function linkActions(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  const back = (visit: Visit): string => pathOf({ id: readId(visit) });

  const saveLink = async (visit: Visit, sent: URLSearchParams) => {
    const draft = readDraft(sent);
    const change = { linkId: readId(visit), accountId: visit.owner.accountId, ...inputOf(draft) };
    const outcome = await db.transaction((tx) => changeLink(tx, change));
    if (outcome.kind === 'not_found') throw linkNotFound();
    if (outcome.kind === 'invalid') {
      const link = await requireLink(db, visit);
      return {
        title: nameOf(link),
        crumbs: linkCrumbs(visit),
        status: 422,
        body: html`<p class="flash bad" role="alert">${visit.texts.links.checkFields}</p>${linkForm(visit, link, draft, outcome.errors)}`,
      };
    }
    return done(back(visit), visit.texts.common.saved);
  };
  router.action(`${LINKS}/:id`, saveLink, { back });

  confirmedAction(router, `${LINKS}/:id/delete`, {
    back,
    async ask(visit) {
      const { removeAsk: title, removeText: text, remove: submit } = visit.texts.links;
      return { title, text, submit, crumbs: linkCrumbs(visit, await requireLink(db, visit)) };
    },
    async act(visit) {
      const link = { linkId: readId(visit), accountId: visit.owner.accountId, at: clock.now() };
      if (!(await db.transaction((tx) => deleteLink(tx, link)))) throw linkNotFound();
      return done(LINKS, visit.texts.links.removed);
    },
  });
}
