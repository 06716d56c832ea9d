export { type OpenDatabase, openDatabase } from './database.ts';
export { startEmbeddedPostgres } from './embedded.ts';
export { findRunningEmbedded } from './embedded-attach.ts';
export type { Supervision } from './embedded-supervisor.ts';
export { type DatabaseState, inspectDatabase } from './inspect.ts';
export { migrate, OWNER_ADVICE, readMigrationSets, serviceMigrations, UNRELEASED_DATABASE } from './migrate.ts';
