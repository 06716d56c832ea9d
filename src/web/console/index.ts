export { consoleRoutes } from './console.ts';
export type { ConsoleDeps } from './deps.ts';
