import { EN, type Texts } from './en.ts';
import { RU } from './ru.ts';

/** The server writes the page in one language; a switch loads it in the other. */
export const language: 'ru' | 'en' = document.documentElement.lang === 'ru' ? 'ru' : 'en';

export const t: Texts = language === 'ru' ? RU : EN;
