#!/usr/bin/env node
import './require-node.js';
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

// Later starts take what the first one compiled; without it half of a start is spent on reading our own sources.
enableCompileCache();

// Settings from a file, for those who like one; what the environment says already wins.
if (existsSync('.env')) process.loadEnvFile('.env');

// A dynamic import, because a static one would be loaded (and fail on the `.ts` ending) before the version check runs.
await import('../src/cli/main.ts');
