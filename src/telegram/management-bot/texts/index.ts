import type { Language } from '../../../core/locale.ts';
import { SHARED_TEXTS, type SharedTexts } from '../../../texts/index.ts';
import { advertiserEn } from './advertiser.en.ts';
import { advertiserRu } from './advertiser.ru.ts';
import { balanceEn } from './balance.en.ts';
import { balanceRu } from './balance.ru.ts';
import { casesEn } from './cases.en.ts';
import { casesRu } from './cases.ru.ts';
import { commonEn } from './common.en.ts';
import { commonRu } from './common.ru.ts';
import { noticesEn } from './notices.en.ts';
import { noticesRu } from './notices.ru.ts';
import { operatorEn } from './operator.en.ts';
import { operatorRu } from './operator.ru.ts';
import { publisherEn } from './publisher.en.ts';
import { publisherRu } from './publisher.ru.ts';

const ru = {
  ...commonRu,
  notices: noticesRu,
  publisher: publisherRu,
  advertiser: advertiserRu,
  balance: balanceRu,
  cases: casesRu,
  operator: operatorRu,
};

/** One file per area and language. English has the type of Russian, so a missing text does not compile. */
export type Texts = Readonly<typeof ru> & {
  /** Texts that the console shows too. */
  readonly shared: SharedTexts;
};

export const TEXTS: Readonly<Record<Language, Texts>> = {
  ru: { ...ru, shared: SHARED_TEXTS.ru },
  en: {
    ...commonEn,
    notices: noticesEn,
    publisher: publisherEn,
    advertiser: advertiserEn,
    balance: balanceEn,
    cases: casesEn,
    operator: operatorEn,
    shared: SHARED_TEXTS.en,
  },
};
