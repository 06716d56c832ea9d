import { confirmPage } from '../parts/confirm.ts';
import type { ConsoleRouter } from '../router.ts';
import type { Crumb, Redirect, Visit } from '../visit.ts';
import { FOR_OPERATORS } from './operator-path.ts';

/** A decision that needs no words: asked on a page of its own. */
export function askSure(
  router: ConsoleRouter,
  decision: {
    readonly path: string;
    readonly section: string;
    readonly words: (visit: Visit) => { readonly title: string; readonly text: string; readonly submit: string };
    /** The page it is decided about; throws when that is not there. */
    about(visit: Visit): Promise<Crumb>;
    /** The list that page is in. */
    list(visit: Visit): Crumb;
    /** Carried out twice, the second time changes nothing. */
    carryOut(visit: Visit): Promise<Redirect>;
  },
): void {
  router.page(
    decision.path,
    async (visit) => {
      const subject = await decision.about(visit);
      return confirmPage(visit, {
        ...decision.words(visit),
        section: decision.section,
        crumbs: [decision.list(visit), subject],
        action: visit.path,
        back: subject.href,
        look: 'primary',
      });
    },
    FOR_OPERATORS,
  );
  router.action(decision.path, (visit) => decision.carryOut(visit), {
    ...FOR_OPERATORS,
    back: (visit) => visit.path,
  });
}
