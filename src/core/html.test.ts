import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clip, escapeHtml, html, inline, lines } from './html.ts';

describe('html', () => {
  it('escapes text and leaves Html values unchanged', () => {
    const name = html`<b>${'<i>&"\''}</b>`;
    assert.equal(name.source, '<b>&#60;i&#62;&#38;&#34;&#39;</b>');
    assert.equal(
      html`${name}: ${[html`<u>1</u>`, html`<u>2</u>`]} ${3} ${4n}`.source,
      `${name.source}: <u>1</u><u>2</u> 3 4`,
    );
  });

  it('escapes every character that could end the surrounding tag or attribute', () => {
    for (const text of ['</b>', '" onclick="', "'", '&lt;', '<'])
      assert.doesNotMatch(escapeHtml(text), /[<>"']|&(?!#\d+;)/);
  });

  it('joins lines and skips undefined ones', () => {
    assert.equal(lines(html`a`, undefined, html``, html`b`).source, 'a\n\nb');
  });

  it('clips between characters, never inside one', () => {
    assert.equal(clip('😀😀😀', 3), '😀😀😀');
    assert.equal(clip('😀😀😀😀', 3), '😀😀…');
  });
});

it('an inline style or script that could end its element is refused', () => {
  assert.equal(String(inline('style', 'a > b { }')), '<style>a > b { }</style>');
  assert.throws(() => inline('script', 'x = "</script>"'), /closing tag/);
});
