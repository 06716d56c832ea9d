import type { Language } from '../core/locale.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

/** English has the type of Russian, so a text that is missing in one language does not compile. */
export type SharedTexts = Readonly<typeof ru>;

export const SHARED_TEXTS: Readonly<Record<Language, SharedTexts>> = { ru, en };
