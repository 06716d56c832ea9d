import type { advertiserRu } from './advertiser.ru.ts';

export const advertiserEn: typeof advertiserRu = {};
