import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Button, cursorArrows, cursorsIn, PAGE_SIZE, readCursorPage } from './screen.ts';

const dataOf = (button: Button | undefined): string => (button !== undefined && 'press' in button ? button.press : '');
const argsOf = (data: string): string[] => data.split(':').slice(1);

describe('the arrows below a page', () => {
  it('lead to the next page and back to the previous one', () => {
    const [forth] = cursorArrows([], 500, 'list');
    assert.deepEqual(cursorsIn(argsOf(dataOf(forth))), [500]);
    const [back, further] = cursorArrows([500], 400, 'list');
    assert.equal(dataOf(back), 'list');
    assert.deepEqual(cursorsIn(argsOf(dataOf(further))), [500, 400]);
    const [only] = cursorArrows([500, 400], undefined, 'list');
    assert.deepEqual(cursorsIn(argsOf(dataOf(only))), [500]);
  });

  it('fit into the data of a button on every page', () => {
    let cursors: number[] = [];
    for (let cursor = Number.MAX_SAFE_INTEGER; cursors.at(-1) !== Number.MAX_SAFE_INTEGER - 20; cursor--) {
      const data = dataOf(cursorArrows(cursors, cursor, 'list').at(-1));
      assert.ok(Buffer.byteLength(data) <= 64, data);
      cursors = cursorsIn(argsOf(data));
      assert.equal(cursors.at(-1), cursor);
    }
    while (cursors.length > 0) cursors = cursorsIn(argsOf(dataOf(cursorArrows(cursors, undefined, 'list')[0])));
    assert.deepEqual(cursors, []);
  });

  it('with forged data lead to the first page', () => {
    for (const args of [['-1'], ['0'], ['zz zz'], ['1', '../'], ['zzzzzzzzzzzz'], ['zzzzzzzzzzz']]) {
      assert.deepEqual(cursorsIn(args), [], String(args));
    }
  });
});

describe('a page of a list', () => {
  const items = Array.from({ length: PAGE_SIZE + 1 }, (_, index) => ({ id: 100 - index }));

  it('has a next page only when one more item was found', async () => {
    const full = await readCursorPage([], 'list', async (_, limit) => items.slice(0, limit));
    assert.deepEqual(full.items, items.slice(0, PAGE_SIZE));
    assert.deepEqual(cursorsIn(argsOf(dataOf(full.arrows[0]))), [items[PAGE_SIZE - 1]?.id]);
    const last = await readCursorPage([], 'list', async () => items.slice(0, PAGE_SIZE));
    assert.deepEqual(last.arrows, []);
  });
});
