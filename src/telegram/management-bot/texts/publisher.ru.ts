export const publisherRu = {};
