export { type DatabaseOptions, type OpenDatabase, openDatabase } from './database.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
export { findRunningEmbedded } from './embedded-attach.ts';
export type { Supervision } from './embedded-supervisor.ts';
export { type DatabaseState, inspectDatabase } from './inspect.ts';
export { type MigrationSet, migrate, OWNER_ADVICE, readMigrationSets, serviceMigrations } from './migrate.ts';
