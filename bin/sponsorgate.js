#!/usr/bin/env node
import './require-node.js';

// Use only dynamic imports here. Node resolves static imports before the version check above runs, and an old Node
// would fail on an unknown export or a `.ts` file with a confusing error.
const { existsSync } = await import('node:fs');
const { enableCompileCache } = await import('node:module');

// Caches compiled code for later starts. Without the cache, compiling the sources takes half of the start time.
enableCompileCache();

// Loads settings from an optional file. Variables that are already set take precedence.
if (existsSync('.env')) process.loadEnvFile('.env');

// The npm package contains the sources as JavaScript instead, see build-package.js.
const sources = new URL('../src/cli/main.ts', import.meta.url);
await import(existsSync(sources) ? sources.href : new URL('../dist/src/cli/main.js', import.meta.url).href);
