import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snippetsFor } from './snippets.ts';

test('every network has a snippet with the address and the token', () => {
  const snippets = snippetsFor({ url: 'http://127.0.0.1:8080', token: 'at_1' });
  assert.deepEqual(
    snippets.map(({ network }) => network),
    ['subgram', 'flyer', 'tgrass', 'piarflow', 'botohub'],
  );
  for (const { network, code } of snippets) {
    assert.ok(code.includes(`http://127.0.0.1:8080/compat/${network}`), code);
    assert.ok(code.includes('at_1'), code);
  }
});
