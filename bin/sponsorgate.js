#!/usr/bin/env node
import './require-node.js';

// Dynamic imports only: Node resolves static ones, and fails on a name or a `.ts` ending that it does not know, before the
// version check above runs.
const { existsSync } = await import('node:fs');
const { enableCompileCache } = await import('node:module');

// Later starts take what the first one compiled; without it half of a start is spent on reading our own sources.
enableCompileCache();

// Settings from a file, for those who like one; what the environment says already wins.
if (existsSync('.env')) process.loadEnvFile('.env');

await import('../src/cli/main.ts');
