import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS = 'src/db/migrations';

/** An earlier version of the service, in its own folder. */
export interface PreviousVersion {
  readonly commit: string;
  readonly bin: string;
  remove(): Promise<void>;
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/**
 * Returns the version that an upgrade would replace: the newest release before this commit; before the first release,
 * the last commit without the newest migration, so that the two schemas differ. SPONSORGATE_PREVIOUS names another one.
 */
function findPrevious(): string {
  const named = process.env.SPONSORGATE_PREVIOUS;
  try {
    if (named !== undefined) return git('rev-parse', '--verify', `${named}^{commit}`);
    const tags = git('tag', '--list', 'v*', '--merged', 'HEAD~1', '--sort=-version:refname');
    if (tags !== '') return git('rev-parse', `${tags.split('\n')[0]}^{commit}`);
    const newest = git('log', '-1', '--diff-filter=A', '--format=%H', '--', MIGRATIONS);
    return git('rev-parse', '--verify', `${newest}~1^{commit}`);
  } catch (error) {
    throw new Error('there is no earlier version here: this suite needs a git checkout with its history', {
      cause: error,
    });
  }
}

/** Writes the files of the previous version to a temporary folder, with the packages that it needs. */
export async function checkOutPrevious(): Promise<PreviousVersion> {
  const commit = findPrevious();
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-previous-'));
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], { maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  if (hasPackagesOf(folder)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  return {
    commit,
    bin: join(folder, 'bin/sponsorgate.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Returns whether our own node_modules has every package of the folder's version in that version. */
function hasPackagesOf(folder: string): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = join(ROOT, 'node_modules', name, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  });
}
