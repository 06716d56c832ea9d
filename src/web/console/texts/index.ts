import type { Language } from '../../../core/locale.ts';
import { botsEn } from './bots.en.ts';
import { botsRu } from './bots.ru.ts';
import { commonEn } from './common.en.ts';
import { commonRu } from './common.ru.ts';
import { filtersEn } from './filters.en.ts';
import { filtersRu } from './filters.ru.ts';
import { linksEn } from './links.en.ts';
import { linksRu } from './links.ru.ts';
import { moneyEn } from './money.en.ts';
import { moneyRu } from './money.ru.ts';
import { operatorEn } from './operator.en.ts';
import { operatorRu } from './operator.ru.ts';
import { ordersEn } from './orders.en.ts';
import { ordersRu } from './orders.ru.ts';
import { overviewEn } from './overview.en.ts';
import { overviewRu } from './overview.ru.ts';
import { sessionsEn } from './sessions.en.ts';
import { sessionsRu } from './sessions.ru.ts';
import { webhooksEn } from './webhooks.en.ts';
import { webhooksRu } from './webhooks.ru.ts';

const ru = {
  ...botsRu,
  ...commonRu,
  ...filtersRu,
  ...linksRu,
  ...moneyRu,
  ...operatorRu,
  ...ordersRu,
  ...overviewRu,
  ...sessionsRu,
  ...webhooksRu,
};

/** One file per area and language. English has the shape of Russian, so a text that is missing does not compile. */
export type Texts = Readonly<typeof ru>;

const en: Texts = {
  ...botsEn,
  ...commonEn,
  ...filtersEn,
  ...linksEn,
  ...moneyEn,
  ...operatorEn,
  ...ordersEn,
  ...overviewEn,
  ...sessionsEn,
  ...webhooksEn,
};

export const TEXTS: Readonly<Record<Language, Texts>> = { ru, en };
