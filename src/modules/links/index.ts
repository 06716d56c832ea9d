export { type ClickReport, reportClicks } from './click-report-store.ts';
export { type ClicksOf, clicksBy, totalClicks } from './click-store.ts';
export { CLICK_DAYS, forgetClicks } from './forget-clicks.ts';
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
