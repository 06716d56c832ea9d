import { html } from '../../../core/html.ts';
import { LANGUAGES } from '../../../core/locale.ts';
import { setLanguage } from '../../../modules/accounts/index.ts';
import { endSessions, listSessions, type Session } from '../../../modules/sessions/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { localPath } from '../local-path.ts';
import { badge } from '../parts/elements.ts';
import { form, rowButton } from '../parts/form.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, readId, type Visit } from '../visit.ts';

const SESSIONS = '/console/sessions';

/** Lists the visitor's sessions with the buttons that end them, and changes the language of the account. */
export function sessionPages(router: ConsoleRouter, { db, sessionClock, operatorIds }: ConsoleDeps): void {
  const back = () => SESSIONS;

  router.page(SESSIONS, async (visit) => {
    const { accountId } = visit.owner;
    return listPage(visit, await listSessions(db, { accountId, operatorIds, at: sessionClock.now() }));
  });

  const endOne = async (visit: Visit) => {
    await endSessions(db, { accountId: visit.owner.accountId, sessionId: readId(visit) });
    return done(SESSIONS, visit.texts.sessions.ended);
  };
  router.action(`${SESSIONS}/:id/end`, endOne, { back });

  const endAll = async (visit: Visit) => {
    await endSessions(db, { accountId: visit.owner.accountId });
    return { to: '/console' };
  };
  router.action(`${SESSIONS}/end-all`, endAll, { back });

  const changeLanguage = async (visit: Visit, sent: URLSearchParams) => {
    const language = LANGUAGES.find((one) => one === sent.get('language'));
    if (language !== undefined) await setLanguage(db, visit.owner.accountId, language);
    return { to: localPath(sent.get('back')) ?? '/console' };
  };
  router.action('/console/language', changeLanguage, { back: () => '/console', isForApp: true });
}

function listPage(visit: Visit, sessions: readonly Session[]): Page {
  const { texts } = visit;
  const words = texts.sessions;
  const isThis = (session: Session): boolean => session.id === visit.session.id;
  const table = buildTable(visit, {
    name: 'sessions',
    title: words.listTitle,
    note: words.note,
    rows: [...sessions.filter(isThis), ...sessions.filter((session) => !isThis(session))],
    empty: texts.common.nothing,
    columns: ({ text, time }) => [
      {
        title: words.device,
        cell: (session) => html`${session.device} ${isThis(session) && badge('good', words.thisOne)}`,
        value: (session) => session.device,
      },
      text(words.kind, (session) => words.kinds[session.kind]),
      time(words.since, (session) => session.createdAt),
      time(words.seen, (session) => session.seenAt),
    ],
    actions: ({ id, device }) =>
      rowButton(visit, { action: `${SESSIONS}/${id}/end`, submit: words.end, subject: device }),
  });
  const endAll = form(visit, { action: `${SESSIONS}/end-all`, submit: words.endAll, style: 'danger' });
  return {
    title: texts.menu.sessions,
    body: html`${table.html}<section class="panel"><h2>${words.endAllTitle}</h2><p class="note">${words.endAllNote}</p>${endAll}</section>`,
    tables: [table],
  };
}
