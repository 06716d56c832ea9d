import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localPath } from './local-path.ts';

test('a path of the console is returned unchanged', () => {
  for (const path of ['/console', '/console/orders/7/filters', '/console/history?before=12', '/console?days=7']) {
    assert.equal(localPath(path), path);
  }
});

test('a path that leaves the console is refused', () => {
  for (const path of [
    undefined,
    null,
    '',
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example',
    '/console/../sandbox',
    '/console/..%2f..%2fsandbox/../../x',
    '/console//evil.example',
    '/consolevil',
    '/console\n/x',
    '/console?next=https://evil.example/',
    'javascript:alert(1)',
    ` /console`,
    `/console/${'a'.repeat(600)}`,
  ]) {
    assert.equal(localPath(path), undefined, String(path));
  }
});
