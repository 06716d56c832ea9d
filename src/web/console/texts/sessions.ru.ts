import type { SessionKind } from '../../../modules/sessions/index.ts';

export const sessionsRu = {
  sessions: {
    listTitle: 'Где вы вошли',
    note: 'Сеанс заканчивается через 12 часов без дела и не позже чем через 7 дней.',
    device: 'Устройство',
    kind: 'Откуда',
    kinds: { browser: 'ссылка из бота', app: 'внутри Telegram' } satisfies Record<SessionKind, string>,
    since: 'Вход (МСК)',
    seen: 'Последнее действие (МСК)',
    thisOne: 'это вы',
    end: 'Завершить',
    ended: 'Сеанс завершён.',
    endAllTitle: 'Выйти везде',
    endAllNote: 'Завершит все сеансы, и этот тоже. Войти снова можно по новой ссылке из бота.',
    endAll: 'Выйти везде',
  },
};
