import { html } from '../../../core/html.ts';
import { changeLink, deleteLink } from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, idIn, type Visit } from '../visit.ts';
import { draftIn, inputOf, linkForm } from './link-form.ts';
import { LINKS, linkCrumbs, linkIn, linkNotFound, nameOf, pathOf } from './link-path.ts';

export function linkActions(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  const back = (visit: Visit): string => pathOf({ id: idIn(visit) });

  router.action(
    `${LINKS}/:id`,
    async (visit, sent) => {
      const draft = draftIn(sent);
      const change = { linkId: idIn(visit), accountId: visit.owner.accountId, ...inputOf(draft) };
      const outcome = await db.transaction((tx) => changeLink(tx, change));
      if (outcome.kind === 'not_found') throw linkNotFound();
      if (outcome.kind === 'invalid') {
        const link = await linkIn({ db }, visit);
        return {
          title: nameOf(link),
          section: LINKS,
          crumbs: linkCrumbs(visit),
          status: 422,
          body: html`<p class="flash bad" role="alert">${visit.texts.links.checkFields}</p>${linkForm(visit, link, draft, outcome.errors)}`,
        };
      }
      return done(back(visit), visit.texts.common.saved);
    },
    { back },
  );

  router.page(`${LINKS}/:id/delete`, async (visit) => {
    const link = await linkIn({ db }, visit);
    const words = visit.texts.links;
    return confirmPage(visit, {
      title: words.removeAsk,
      section: LINKS,
      crumbs: linkCrumbs(visit, link),
      text: words.removeText,
      action: `${pathOf(link)}/delete`,
      submit: words.remove,
      back: pathOf(link),
    });
  });

  router.action(
    `${LINKS}/:id/delete`,
    async (visit) => {
      const link = { linkId: idIn(visit), accountId: visit.owner.accountId, at: clock.now() };
      if (!(await db.transaction((tx) => deleteLink(tx, link)))) throw linkNotFound();
      return done(LINKS, visit.texts.links.removed);
    },
    { back },
  );
}
