import type { Language } from '../../../core/locale.ts';
import { advertiserEn } from './advertiser.en.ts';
import { advertiserRu } from './advertiser.ru.ts';
import { balanceEn } from './balance.en.ts';
import { balanceRu } from './balance.ru.ts';
import { doorEn } from './common.en.ts';
import { doorRu } from './common.ru.ts';
import { consoleEn } from './console.en.ts';
import { consoleRu } from './console.ru.ts';
import { homeEn } from './home.en.ts';
import { homeRu } from './home.ru.ts';
import { noticesEn } from './notices.en.ts';
import { noticesRu } from './notices.ru.ts';
import { operatorEn } from './operator.en.ts';
import { operatorRu } from './operator.ru.ts';
import { publisherEn } from './publisher.en.ts';
import { publisherRu } from './publisher.ru.ts';

/** One file per area and language. English has the shape of Russian, so a text that is missing does not compile. */
export interface Texts {
  readonly common: typeof doorRu.common;
  readonly door: typeof doorRu.door;
  readonly refusals: typeof doorRu.refusals;
  readonly home: typeof homeRu;
  readonly console: typeof consoleRu;
  readonly notices: typeof noticesRu;
  readonly publisher: typeof publisherRu;
  readonly advertiser: typeof advertiserRu;
  readonly balance: typeof balanceRu;
  readonly operator: typeof operatorRu;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  ru: {
    ...doorRu,
    home: homeRu,
    console: consoleRu,
    notices: noticesRu,
    publisher: publisherRu,
    advertiser: advertiserRu,
    balance: balanceRu,
    operator: operatorRu,
  },
  en: {
    ...doorEn,
    home: homeEn,
    console: consoleEn,
    notices: noticesEn,
    publisher: publisherEn,
    advertiser: advertiserEn,
    balance: balanceEn,
    operator: operatorEn,
  },
};
