import { html } from '../../../core/html.ts';
import { LANGUAGES } from '../../../core/locale.ts';
import { setLanguage } from '../../../modules/accounts/index.ts';
import { endSessions, listSessions, type Session } from '../../../modules/sessions/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { localPath } from '../local-path.ts';
import { form } from '../parts/form.ts';
import { badge, NOTHING } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, idIn, type Page, type Visit } from '../visit.ts';

const LIST = '/console/sessions';

/** Where one is signed in, and ways to end that. */
export function sessionPages(router: ConsoleRouter, { db, sessionClock, operatorIds }: ConsoleDeps): void {
  router.page(LIST, async (visit) => {
    const { accountId } = visit.owner;
    return listPage(visit, await listSessions(db, { accountId, operatorIds, at: sessionClock.now() }));
  });

  router.action(
    `${LIST}/:id/end`,
    async (visit) => {
      await endSessions(db, { accountId: visit.owner.accountId, sessionId: idIn(visit) });
      return done(LIST, visit.texts.sessions.ended);
    },
    { back: () => LIST },
  );

  router.action(
    `${LIST}/end-all`,
    async (visit) => {
      await endSessions(db, { accountId: visit.owner.accountId });
      return { to: '/console' };
    },
    { back: () => LIST },
  );

  router.action(
    '/console/language',
    async (visit, sent) => {
      const language = LANGUAGES.find((one) => one === sent.get('language'));
      if (language !== undefined) await setLanguage(db, visit.owner.accountId, language);
      return { to: localPath(sent.get('back')) ?? '/console' };
    },
    { back: () => '/console', isForApp: true },
  );
}

function listPage(visit: Visit, sessions: readonly Session[]): Page {
  const { texts, formats } = visit;
  const words = texts.sessions;
  const isThis = (session: Session): boolean => session.id === visit.session.id;
  const table = buildTable(visit, {
    name: 'sessions',
    title: words.listTitle,
    note: words.note,
    columns: [
      {
        title: words.device,
        cell: (session) => html`${session.device} ${isThis(session) ? badge('good', words.thisOne) : NOTHING}`,
        value: (session) => session.device,
      },
      { title: words.kind, cell: (session) => words.kinds[session.kind] },
      {
        title: words.since,
        cell: (session) => formats.moment(session.createdAt),
        value: (session) => session.createdAt,
      },
      { title: words.seen, cell: (session) => formats.moment(session.seenAt), value: (session) => session.seenAt },
    ],
    rows: [...sessions.filter(isThis), ...sessions.filter((session) => !isThis(session))],
    empty: texts.common.nothing,
    actions: (session) =>
      form(visit, {
        action: `${LIST}/${session.id}/end`,
        submit: words.end,
        label: `${words.end}: ${session.device}`,
        look: 'quiet',
        isInline: true,
      }),
  });
  const endAll = form(visit, { action: `${LIST}/end-all`, submit: words.endAll, look: 'danger' });
  return {
    title: texts.menu.sessions,
    section: LIST,
    body: html`${table.html}<section class="panel"><h2>${words.endAllTitle}</h2><p class="note">${words.endAllNote}</p>${endAll}</section>`,
    tables: [table],
  };
}
