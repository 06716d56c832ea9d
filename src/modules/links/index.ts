export { type AccountAge, estimateAccountAge } from './account-age.ts';
export { type ClickReport, reportClicks } from './click-report-store.ts';
export { type ClickDimension, type ClicksOf, clicksBy, totalClicks } from './click-store.ts';
export { CLICK_DAYS, forgetClicks } from './forget-clicks.ts';
export { type InitData, readInitData } from './init-data.ts';
export {
  codeOfOrder,
  DEVICE_TYPES,
  type DeviceType,
  type Link,
  type LinkRule,
  OPERATING_SYSTEMS,
  type OperatingSystem,
} from './link.ts';
export { type GeoDatabase, geoDatabases, type Locator, openLocator } from './locate.ts';
export { changeLink, createLink, deleteLink, type LinkInput, type LinkOutcome } from './manage-links.ts';
export { createSmartLinks, type SmartLinks, type SmartLinksDeps } from './smart-links.ts';
export { findLink, listLinks } from './store.ts';
export type { LinkVisit, VisitOutcome } from './visit-link.ts';
export type { MiniAppOutcome, MiniAppVisit } from './visit-mini-app.ts';
