import { FORMATS, type Formats } from '../../../core/locale.ts';
import { findAccountByTelegramUser } from '../../../modules/accounts/index.ts';
import { sendScreen } from '../conversation.ts';
import type { ManagementBotDeps } from '../deps.ts';
import type { Screen } from '../screen.ts';
import { TEXTS, type Texts } from '../texts/index.ts';

/** The most operators that one request notifies. */
const MAX_NOTIFIED = 20;

/** Notifies operators of new work. The work is in their queue anyway, so a failure is only logged. */
export async function notifyOperators(
  { db, api, log, operatorIds }: ManagementBotDeps,
  screenIn: (texts: Texts, formats: Formats) => Screen,
): Promise<void> {
  const notify = async (operatorId: number): Promise<void> => {
    try {
      const account = await findAccountByTelegramUser(db, operatorId);
      const language = account?.language ?? account?.seenLanguage ?? 'ru';
      await sendScreen(api.service, operatorId, screenIn(TEXTS[language], FORMATS[language]));
    } catch (err) {
      log.warn({ err, operator: operatorId }, 'operator not notified');
    }
  };
  await Promise.all([...operatorIds].slice(0, MAX_NOTIFIED).map(notify));
}
