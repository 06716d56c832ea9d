#!/usr/bin/env node
import './require-node.js';

// A dynamic import, because a static one would be loaded (and fail on the `.ts` ending) before the version check runs.
await import('../src/cli/main.ts');
