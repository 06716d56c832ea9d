/** Everything the gate says. Plain text, without markup. */
export interface GateTexts {
  /** Above the list of sponsors. */
  readonly prompt: string;
  /** The button below it. */
  readonly confirmButton: string;
  /** In place of the list once the user is in. */
  readonly passed: string;
  /** To somebody who pressed too early; the titles of what is missing follow. */
  readonly missing: string;
  /** Telegram gave no answer in time. */
  readonly checkLater: string;
  /** To somebody who pressed a button of your bot while the gate is closed. */
  readonly subscribeFirst: string;
  /** Sponsorgate cannot be reached, and the gate is set to stay closed then. */
  readonly unavailable: string;
  /** In a group: to somebody who pressed the button of another person's list. */
  readonly notYours: string;
}

const RU: GateTexts = {
  prompt: 'Чтобы продолжить, подпишитесь на спонсоров, а затем нажмите кнопку под списком.',
  confirmButton: '✅ Я подписался',
  passed: 'Спасибо! Доступ открыт.',
  missing: 'Пока нет подписки:',
  checkLater: 'Не удалось проверить подписку. Нажмите ещё раз через минуту.',
  subscribeFirst: 'Сначала подпишитесь на спонсоров.',
  unavailable: 'Сейчас не получается проверить подписки. Попробуйте через несколько минут.',
  notYours: 'Этот список для другого участника.',
};

const EN: GateTexts = {
  prompt: 'To go on, subscribe to our sponsors, then press the button below the list.',
  confirmButton: '✅ I subscribed',
  passed: 'Thank you! You are in.',
  missing: 'Not subscribed yet:',
  checkLater: 'The subscription could not be checked. Press again in a minute.',
  subscribeFirst: 'Subscribe to our sponsors first.',
  unavailable: 'Subscriptions cannot be checked right now. Try again in a few minutes.',
  notYours: 'This list is for somebody else.',
};

export const TEXTS = { ru: RU, en: EN } as const;

/** Your own words in place of some or all of ours: for everybody, or by language. */
export type TextOverride = Partial<GateTexts> | ((languageCode: string | undefined) => Partial<GateTexts>);

/** Russian for those whose Telegram speaks it and for those of whom it is not known, as the service assumes too. */
export function textsFor(languageCode: string | undefined, override: TextOverride = {}): GateTexts {
  const ours = languageCode === undefined || /^ru\b/i.test(languageCode) ? RU : EN;
  return { ...ours, ...(typeof override === 'function' ? override(languageCode) : override) };
}

const MAX_ALERT = 200;

/** Telegram refuses an alert of more than 200 characters: what does not fit is left out. */
export function alertText(start: string, titles: readonly string[] = []): string {
  let text = start;
  for (const title of titles) {
    const longer = `${text}\n• ${title}`;
    if (longer.length > MAX_ALERT - 2) return `${text}\n…`.slice(0, MAX_ALERT);
    text = longer;
  }
  return text.slice(0, MAX_ALERT);
}
