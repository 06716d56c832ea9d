import { type Language, languageFor } from '../core/locale.ts';

const RU = {
  welcome: (name: string) => `${name}, добро пожаловать в киноклуб! Вот фильм на вечер:`,
  another: '🎲 Другой фильм',
  films: [
    '🎬 «Служебный роман» (1977): статистика, понедельник и новая причёска.',
    '🎬 «Курьер» (1986): мечтайте о чём-нибудь великом.',
    '🎬 «Сталкер» (1979): комната, где сбываются желания.',
    '🎬 «Мимино» (1977): лётчик, которому тесно в маленьком небе.',
  ],
};

const EN: typeof RU = {
  welcome: (name) => `${name}, welcome to the film club! Here is one for tonight:`,
  another: '🎲 Another film',
  films: [
    '🎬 The Apartment (1960): a key, a lift and a broken mirror.',
    '🎬 Paris, Texas (1984): a man walks out of the desert.',
    '🎬 Local Hero (1983): a village, a refinery and a phone box.',
    '🎬 Groundhog Day (1993): the same day, until it is a good one.',
  ],
};

const TEXTS: Readonly<Record<Language, typeof RU>> = { ru: RU, en: EN };

export const demoTextsFor = (languageCode: string | undefined): typeof RU => TEXTS[languageFor(languageCode)];
