import type { sessionsRu } from './sessions.ru.ts';

export const sessionsEn: typeof sessionsRu = {
  sessions: {
    listTitle: 'Where you are signed in',
    note: 'A session ends after 12 hours without use, and after 7 days in any case.',
    device: 'Device',
    kind: 'Through',
    kinds: { browser: 'a link of the bot', app: 'inside Telegram' },
    since: 'Signed in (Moscow)',
    seen: 'Last used (Moscow)',
    thisOne: 'this one',
    end: 'End',
    ended: 'The session has ended.',
    endAllTitle: 'Sign out everywhere',
    endAllNote: 'Ends all sessions, this one too. A new link of the bot lets you in again.',
    endAll: 'Sign out everywhere',
  },
};
