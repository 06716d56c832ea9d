// `npm pack` runs this: writes `dist/`, the sources as JavaScript. Node strips types only outside of node_modules, and an
// installed package is inside.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
// The sandbox's demo bot uses the clients.
for (const folder of ['src', 'clients/gate/src', 'clients/grammy/src', 'clients/typescript/src']) {
  cpSync(join(root, folder), join(dist, folder), {
    recursive: true,
    filter: (path) => !/\.(test|fixture)\.ts$/.test(path),
  });
}

// The service reads its version from `../package.json`.
cpSync(join(root, 'package.json'), join(dist, 'package.json'));

// The service itself strips the types of the browser's files when it serves them.
for (const file of globSync('**/*.ts', { cwd: dist, exclude: ['src/web/client/**'] })) {
  const path = join(dist, file);
  const code = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  const imports = /((?:\bfrom |\bimport\(|\bimport |new URL\()'\.{1,2}\/[^']+)\.ts'/g;
  writeFileSync(
    path.replace(/\.ts$/, '.js'),
    code.replaceAll(imports, (match, start) => (start.includes('/web/client/') ? match : `${start}.js'`)),
  );
  rmSync(path);
}
