import type { publisherRu } from './publisher.ru.ts';

export const publisherEn: typeof publisherRu = {};
