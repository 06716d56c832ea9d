import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '../../core/errors.ts';
import { clusterPaths } from './cluster.ts';
import { hasOwner } from './data-dir-lock.ts';
import { errorCode } from './process.ts';
import { serverUrl } from './start-postgres.ts';

/**
 * Returns the address of the embedded server below `dataDir` while a service runs it, otherwise undefined. For readers
 * only: the owner may stop the server at any time.
 */
export async function findRunningEmbedded(dataDir: string): Promise<string | undefined> {
  if (!(await hasOwner(resolve(dataDir)))) return undefined;
  const paths = clusterPaths(resolve(dataDir));
  const pidFile = await readIfPresent(join(paths.cluster, 'postmaster.pid'));
  const port = Number(pidFile?.split('\n')[3]);
  const password = await readIfPresent(paths.passwordFile);
  return port > 0 && password !== undefined ? serverUrl(port, password.trim()) : undefined;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new StartError(`cannot read ${path} (${code}): run this as the user that runs the service`);
  }
}
