import { SHARED_TEXTS } from '../../src/texts/index.ts';

/** The names of the filters in both languages. */
export const CATEGORIES = { ru: SHARED_TEXTS.ru.filters.categories, en: SHARED_TEXTS.en.filters.categories };
export const NAMES = { ru: SHARED_TEXTS.ru.filters.names, en: SHARED_TEXTS.en.filters.names };
