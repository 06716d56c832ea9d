export const operatorRu = {};
