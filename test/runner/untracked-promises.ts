/**
 * Loaded before `node:test`. Node's test runner follows every promise with an async hook, to find the test that a late
 * error belongs to. That made code with many promises up to 20 times slower. Here the hook ignores promises: a late
 * error fails the process of the lane instead of one test.
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;
asyncHooks.createHook = (options) => createHook({ ...options, trackPromises: false });
