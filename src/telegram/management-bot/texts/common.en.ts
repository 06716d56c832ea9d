import type { doorRu } from './common.ru.ts';

/** What is said everywhere: buttons, refusals, and the words at the door. */
export const doorEn: typeof doorRu = {
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
    wrongAmount: 'That does not look like an amount. Write a number such as 150 or 99.50.',
    wrongCount: ({ min, max }) => `A whole number from ${min} to ${max} is needed.`,
    tooLong: ({ most }) => `Too long: at most ${most} characters.`,
  },
  door: {
    onlyPrivate: 'I only talk in private messages: open a chat with me.',
    tooFast: 'Too fast. Wait a moment, then go on.',
    failed: 'Something went wrong. Please try again a little later.',
    flood: ({ seconds }) =>
      `Telegram asks us to wait ${seconds} s, so the screen did not change. Press again after that.`,
    stale: 'That button is out of date, here is the menu.',
    banned: 'Your account is blocked by an operator. If that is a mistake, write to support.',
  },
  refusals: {
    invalid_token: 'Your account is blocked by an operator.',
    bot_not_found: 'You have no such bot.',
    order_not_found: 'You have no such order.',
    account_not_found: 'There is no such account.',
    insufficient_funds: 'There is not enough money on your balance: top it up.',
    quantity_too_large: 'An order has 1,000,000,000 subscribers at most: make another one.',
    wrong_status: 'The present status does not allow this.',
    conflict: 'Taken already, or done already.',
    request_in_flight: 'Being worked on, wait a second.',
    idempotency_mismatch: 'This button was used for another request: start again.',
    telegram_unavailable: 'Telegram does not answer right now. Try again.',
    resource_refused: 'That resource cannot be used.',
    validation_failed: 'Please check what you have entered.',
    too_many_requests: 'Too fast. Wait a moment.',
  },
};
