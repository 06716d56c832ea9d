/**
 * Builds a package of this folder for npm: ES modules and CommonJS, each with type declarations.
 *
 *   node clients/build.ts grammy [outDir]
 *
 * The packages of frameworks contain the shared sources of `clients/gate`, so that they depend on no version of each other.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [name = '', given] = process.argv.slice(2);
const folder = join(import.meta.dirname, name);
const outDir = given === undefined ? join(folder, 'dist') : resolve(given);
const tsc = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');

rmSync(outDir, { recursive: true, force: true });
for (const [format, options] of [
  ['esm', []],
  ['cjs', ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false']],
] as const) {
  const target = join(outDir, format);
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, '-p', join(folder, 'tsconfig.build.json'), '--outDir', target, ...options],
    { encoding: 'utf8', timeout: 300_000 },
  );
  if (status !== 0) throw new Error(`tsc: ${stdout}`);
  // The compiler rewrites the extensions of imports in JavaScript only. TypeScript before 5.7 reads no others.
  for (const file of globSync('**/*.d.ts', { cwd: target })) {
    const path = join(target, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
  }
  writeFileSync(join(target, 'package.json'), `{"type": "${format === 'esm' ? 'module' : 'commonjs'}"}\n`);
}
