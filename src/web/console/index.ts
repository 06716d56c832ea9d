export { consoleRoutes } from './console.ts';
