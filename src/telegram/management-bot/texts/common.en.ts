import type { commonRu } from './common.ru.ts';

export const commonEn: typeof commonRu = {
  common: {
    back: '⬅️ Back',
    home: '🏠 Menu',
    cancel: '✖️ Cancel',
    yes: '✅ Yes',
    no: '✖️ No',
    on: 'on',
    off: 'off',
    nothing: 'Nothing here yet.',
    copy: '📋 Copy',
    next: 'Next ➡️',
    skip: 'Skip',
    refresh: '🔄 Refresh',
    done: 'Done.',
    wrongCount: ({ min, max }) => `A whole number from ${min} to ${max} is needed.`,
    tooLong: ({ most }) => `Too long: at most ${most} characters.`,
  },
  access: {
    onlyPrivate: 'I only talk in private messages: open a chat with me.',
    tooFast: 'Too fast. Wait a moment, then go on.',
    failed: 'Something went wrong. Please try again a little later.',
    flood: ({ seconds }) =>
      `Telegram asks us to wait ${seconds} s, so the screen did not change. Press again after that.`,
    stale: 'That button is out of date, here is the menu.',
    banned: 'Your account is blocked by an operator. If that is a mistake, write to support.',
  },
};
