import { fileURLToPath } from 'node:url';

/** The sandbox's own tables, kept apart from the service's: live mode never makes them. */
export const sandboxMigrations = { set: 'sandbox', folder: fileURLToPath(new URL('.', import.meta.url)) } as const;
