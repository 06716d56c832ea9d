import type { Language } from '../../../core/locale.ts';
import { botsEn } from './bots.en.ts';
import { botsRu } from './bots.ru.ts';
import { casesEn, operatorCasesEn } from './cases.en.ts';
import { casesRu, operatorCasesRu } from './cases.ru.ts';
import { commonEn } from './common.en.ts';
import { commonRu } from './common.ru.ts';
import { linksEn } from './links.en.ts';
import { linksRu } from './links.ru.ts';
import { moneyEn } from './money.en.ts';
import { moneyRu } from './money.ru.ts';
import { operatorEn } from './operator.en.ts';
import { operatorRu } from './operator.ru.ts';
import { operatorMoneyEn } from './operator-money.en.ts';
import { operatorMoneyRu } from './operator-money.ru.ts';
import { ordersEn } from './orders.en.ts';
import { ordersRu } from './orders.ru.ts';
import { overviewEn } from './overview.en.ts';
import { overviewRu } from './overview.ru.ts';
import { webhooksEn } from './webhooks.en.ts';
import { webhooksRu } from './webhooks.ru.ts';

const ru = {
  ...botsRu,
  ...casesRu,
  ...commonRu,
  ...linksRu,
  ...moneyRu,
  ...ordersRu,
  ...overviewRu,
  ...webhooksRu,
  operator: { ...operatorRu, ...operatorMoneyRu, ...operatorCasesRu },
};

/**
 * The texts of the console, one file per area and language. English has the type of Russian, so a missing text does not
 * compile. Texts that the management bot uses too are in `src/texts`.
 */
export type Texts = Readonly<typeof ru>;

const en: Texts = {
  ...botsEn,
  ...casesEn,
  ...commonEn,
  ...linksEn,
  ...moneyEn,
  ...ordersEn,
  ...overviewEn,
  ...webhooksEn,
  operator: { ...operatorEn, ...operatorMoneyEn, ...operatorCasesEn },
};

export const TEXTS: Readonly<Record<Language, Texts>> = { ru, en };
