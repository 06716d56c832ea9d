/** All texts of the gate. Plain text, without markup. */
export interface GateTexts {
  /** Above the list of sponsors. */
  readonly prompt: string;
  /** The button below it. */
  readonly confirmButton: string;
  /** Replaces the list when the user may enter. */
  readonly passed: string;
  /** Subscriptions are missing; their titles follow. */
  readonly missing: string;
  /** Telegram did not respond in time. */
  readonly checkLater: string;
  /** The user pressed a button of your bot before passing the gate. */
  readonly subscribeFirst: string;
  /** Sponsorgate is unavailable, and `onUnavailable` is `closed`. */
  readonly unavailable: string;
  /** In a group: the user pressed the button of another user's list. */
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

const UK: GateTexts = {
  prompt: 'Щоб продовжити, підпишіться на спонсорів, а потім натисніть кнопку під списком.',
  confirmButton: '✅ Я підписався',
  passed: 'Дякуємо! Доступ відкрито.',
  missing: 'Поки немає підписки:',
  checkLater: 'Не вдалося перевірити підписку. Натисніть ще раз за хвилину.',
  subscribeFirst: 'Спочатку підпишіться на спонсорів.',
  unavailable: 'Зараз не вдається перевірити підписки. Спробуйте за кілька хвилин.',
  notYours: 'Цей список для іншого учасника.',
};

export const TEXTS = { ru: RU, en: EN, uk: UK } as const;

/** Replaces some or all texts: for all languages, or by language. */
export type TextOverride = Partial<GateTexts> | ((languageCode: string | undefined) => Partial<GateTexts>);

/** Returns Russian texts for Russian and unknown languages, Ukrainian for Ukrainian, and English for all others. */
export function textsFor(languageCode: string | undefined, override: TextOverride = {}): GateTexts {
  const language = /^(ru|uk)\b/i.exec(languageCode ?? 'ru')?.[1]?.toLowerCase() as 'ru' | 'uk' | undefined;
  const ours = TEXTS[language ?? 'en'];
  return { ...ours, ...(typeof override === 'function' ? override(languageCode) : override) };
}

const MAX_ALERT = 200;

/** Telegram rejects an alert of more than 200 characters, so titles that do not fit are left out. */
export function alertText(start: string, titles: readonly string[] = []): string {
  let text = start;
  for (const title of titles) {
    const longer = `${text}\n• ${title}`;
    if (longer.length > MAX_ALERT - 2) return `${text}\n…`.slice(0, MAX_ALERT);
    text = longer;
  }
  return text.slice(0, MAX_ALERT);
}
