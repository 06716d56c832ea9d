export const balanceRu = {};
