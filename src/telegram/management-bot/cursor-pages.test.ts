import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextBehind, wayArrows, wayIn } from './cursor-pages.ts';
import type { Button } from './screen.ts';

const dataOf = (button: Button | undefined): string => (button !== undefined && 'press' in button ? button.press : '');
const argsOf = (data: string): string[] => data.split(':').slice(1);

describe('the arrows below a page', () => {
  it('lead on from the last item and back the way one came', () => {
    const [forth] = wayArrows([], 500, 'list');
    assert.deepEqual(wayIn(argsOf(dataOf(forth))), [500]);
    const [back, further] = wayArrows([500], 400, 'list');
    assert.equal(dataOf(back), 'list');
    assert.deepEqual(wayIn(argsOf(dataOf(further))), [500, 400]);
    const [only] = wayArrows([500, 400], undefined, 'list');
    assert.deepEqual(wayIn(argsOf(dataOf(only))), [500]);
  });

  it('fit into a button however far one has gone, and then lead back to the start', () => {
    let way: number[] = [];
    for (let cursor = Number.MAX_SAFE_INTEGER; way.at(-1) !== Number.MAX_SAFE_INTEGER - 20; cursor--) {
      const data = dataOf(wayArrows(way, cursor, 'list').at(-1));
      assert.ok(Buffer.byteLength(data) <= 64, data);
      way = wayIn(argsOf(data));
      assert.equal(way.at(-1), cursor);
    }
    while (way.length > 0) way = wayIn(argsOf(dataOf(wayArrows(way, undefined, 'list')[0])));
    assert.deepEqual(way, []);
  });

  it('that somebody made up lead to the first page', () => {
    for (const args of [['-1'], ['0'], ['zz zz'], ['1', '../'], ['zzzzzzzzzzzz'], ['zzzzzzzzzzz']]) {
      assert.deepEqual(wayIn(args), [], String(args));
    }
  });
});

describe('the page after this one', () => {
  it('begins behind the last item shown, and is there only when more was found', () => {
    assert.equal(nextBehind([{ id: 9 }, { id: 8 }, { id: 7 }], 2), 8);
    assert.equal(nextBehind([{ id: 9 }, { id: 8 }], 2), undefined);
  });
});
