import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clip, escapeHtml, html, lines } from './html.ts';

describe('html', () => {
  it('escapes what people wrote and leaves markup of ours alone', () => {
    const name = html`<b>${'<i>&"\''}</b>`;
    assert.equal(name.source, '<b>&#60;i&#62;&#38;&#34;&#39;</b>');
    assert.equal(
      html`${name}: ${[html`<u>1</u>`, html`<u>2</u>`]} ${3} ${4n}`.source,
      `${name.source}: <u>1</u><u>2</u> 3 4`,
    );
  });

  it('leaves no way for text to end the tag it stands in', () => {
    for (const text of ['</b>', '" onclick="', "'", '&lt;', '<'])
      assert.doesNotMatch(escapeHtml(text), /[<>"']|&(?!#\d+;)/);
  });

  it('puts lines under each other and skips those that are absent', () => {
    assert.equal(lines(html`a`, undefined, html``, html`b`).source, 'a\n\nb');
  });

  it('clips between characters and not inside one', () => {
    assert.equal(clip('😀😀😀', 3), '😀😀😀');
    assert.equal(clip('😀😀😀😀', 3), '😀😀…');
  });
});
