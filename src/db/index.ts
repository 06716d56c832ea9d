export { type OpenDatabase, openDatabase } from './database.ts';
export { findRunningEmbedded } from './embedded/find-running.ts';
export { startEmbeddedPostgres } from './embedded/start-postgres.ts';
export type { Supervision } from './embedded/supervisor.ts';
export { type DatabaseState, inspectDatabase } from './inspect-database.ts';
export { migrate, OWNER_ADVICE, readMigrationSets, serviceMigrations, UNRELEASED_DATABASE } from './migrate.ts';
export { PARTITIONABLE, partitionTable } from './partition-table.ts';
export { openReplica, readFromPrimary } from './replica.ts';
