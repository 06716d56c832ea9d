export const advertiserRu = {};
