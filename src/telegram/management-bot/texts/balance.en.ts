import type { balanceRu } from './balance.ru.ts';

export const balanceEn: typeof balanceRu = {};
