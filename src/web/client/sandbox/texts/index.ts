import { EN, type Texts } from './en.ts';
import { RU } from './ru.ts';

/** The server renders the page in one language; the switch reloads it in the other. */
export const language: 'ru' | 'en' = document.documentElement.lang === 'ru' ? 'ru' : 'en';

export const t: Texts = language === 'ru' ? RU : EN;
