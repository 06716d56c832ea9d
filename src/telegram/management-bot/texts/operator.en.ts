import type { operatorRu } from './operator.ru.ts';

export const operatorEn: typeof operatorRu = {};
