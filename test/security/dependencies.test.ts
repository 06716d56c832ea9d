import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

interface Locked {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const manifest = read('package.json') as Readonly<Record<string, Readonly<Record<string, string | boolean>>>>;
const packages = Object.entries(read('package-lock.json').packages as Readonly<Record<string, Locked>>).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
);

test('every dependency is pinned to one version, so that an upgrade needs a reviewed change', () => {
  for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies']) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      assert.match(String(version), /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
    }
  }
});

test('every installed package has a SHA-512 hash in the lock file and comes from the registry', () => {
  assert.ok(packages.length > 100);
  for (const [path, { integrity, resolved }] of packages) {
    assert.match(integrity ?? '', /^sha512-/, path);
    if (resolved !== undefined) assert.match(resolved, /^https:\/\/registry\.npmjs\.org\//, path);
  }
});

test('only packages listed in allowScripts may run install scripts', () => {
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  const decided = Object.keys(manifest.allowScripts ?? {});
  assert.deepEqual(
    names.filter((name) => !decided.includes(name)),
    [],
  );
});
