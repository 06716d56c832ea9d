export { CLICK_DAYS, forgetClicks } from './click-counter.ts';
export { type ClickReport, type ClicksOf, clicksBy, reportClicks, totalClicks } from './click-store.ts';
export { readInitData } from './init-data.ts';
export {
  DEVICE_TYPES,
  type Link,
  type LinkRule,
  OPERATING_SYSTEMS,
} from './link.ts';
export { geoDatabases, openLocator } from './locate.ts';
export { changeLink, createLink, deleteLink, type LinkInput } from './manage-links.ts';
export { createSmartLinks, type SmartLinks } from './smart-links.ts';
export { findLink, listLinks } from './store.ts';
