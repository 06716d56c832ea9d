/**
 * One process that runs test files one after the other, in the order in which the runner sends them.
 * Loading the service costs more than a second of processor time. One process per file would pay that 200 times.
 * Each file becomes a suite, so that the hooks at its top level end with it.
 */
import { createRequire, enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { describe } from 'node:test';
import { closeShared } from './at-lane-end.ts';
import type { ToLane } from './messages.ts';

// The next run loads the service in half the time.
enableCompileCache();
const require = createRequire(import.meta.url);

// The runner has ended, so this process ends too.
process.on('disconnect', () => process.exit(1));
process.on('message', ({ file }: ToLane) => {
  if (file === null) {
    // The process then ends by itself, unless a test file left a handle open. The runner reports that.
    process.channel?.unref();
    void closeShared();
    return;
  }
  // Synchronous, so that the tests of the file know their suite: the runner does not follow promises.
  void describe(file, () => {
    require(resolve(file));
  });
});
