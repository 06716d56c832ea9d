export { miniAppRoutes } from './routes.ts';
