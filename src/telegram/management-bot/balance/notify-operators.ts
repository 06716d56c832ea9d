import { FORMATS, type Formats } from '../../../core/locale.ts';
import { findAccountByTelegramUser } from '../../../modules/accounts/index.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { keyboardOf, type Screen } from '../screen.ts';
import { TEXTS, type Texts } from '../texts/index.ts';

/** However many operators a setting names, one request of a customer costs no more messages than this. */
const MOST_TOLD = 20;

/** Tells operators that something waits for them. It stands in their queue all the same, so a failure is only logged. */
export async function tellOperators(
  { db, api, log, operatorIds }: ManagementBotDeps,
  screenIn: (texts: Texts, formats: Formats) => Screen,
): Promise<void> {
  const tell = async (operatorId: number): Promise<void> => {
    try {
      const account = await findAccountByTelegramUser(db, operatorId);
      const language = account?.language ?? account?.seenLanguage ?? 'ru';
      const screen = screenIn(TEXTS[language], FORMATS[language]);
      await api.service.sendMessage(operatorId, screen.text.source, {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        reply_markup: keyboardOf(screen),
      });
    } catch (err) {
      log.warn({ err, operator: operatorId }, 'an operator could not be told');
    }
  };
  await Promise.all([...operatorIds].slice(0, MOST_TOLD).map(tell));
}
