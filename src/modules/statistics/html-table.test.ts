import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml } from '../../core/html.ts';
import { htmlTable } from './routes.ts';

fc.configureGlobal({ seed: 1 });

/** Hostile text: full of characters with a meaning in HTML. */
const hostile = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', ';', '#', '/', '=', ' ', 'a', '&lt;', '</td>', '<script>'),
  }),
  fc.constantFrom('</style><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onload='x", '<!--', ']]>'),
);

const decode = (html: string) => html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The tags of the table itself. Everything else must be text. */
const OWN_TAGS =
  /<style>[^<]*<\/style>|<\/?(?:table|caption|thead|tbody|tr|th|td)(?: (?:class="(?:sg-table|n)"|scope="col"|colspan="\d+"))?>/g;

describe('escapeHtml', () => {
  test('escapes every character that opens, closes or quotes, and a browser restores the text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeHtml(text);
        assert.doesNotMatch(escaped, /[<>"']/);
        assert.doesNotMatch(escaped, /&(?!#\d+;)/);
        assert.equal(decode(escaped), text);
      }),
    );
  });
});

describe('the table', () => {
  test('user text adds no tags to the table, and every text is in it', () => {
    const columns = ['user_id', 'title', 'is_active'];
    const row = fc.record(
      { user_id: fc.integer(), title: hostile, is_active: fc.boolean() },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(hostile, fc.array(row, { maxLength: 5 }), (caption, rows) => {
        const html = htmlTable(caption, columns, rows);
        const texts = html.split(OWN_TAGS);
        for (const text of texts) assert.doesNotMatch(text, /[<>"']/);
        const shown = texts.map(decode);
        for (const text of [caption, ...rows.map(({ title }) => title)]) assert.ok(shown.includes(text), text);
      }),
      { numRuns: 500 },
    );
  });

  test('has a row for each record and a cell for each column, in the given order', () => {
    const html = htmlTable(
      'Bots',
      ['bot_id', 'bot_username', 'is_active', 'revenue'],
      [
        { bot_username: 'a_bot', revenue: 7.05, is_active: true, bot_id: 1 },
        { bot_id: 2, bot_username: 'b_bot', is_active: false, revenue: 0 },
      ],
    );
    const cells = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, text]) => text),
    );
    assert.deepEqual(cells, [
      ['bot_id', 'bot_username', 'is_active', 'revenue'],
      ['1', 'a_bot', 'true', '7.05'],
      ['2', 'b_bot', 'false', '0'],
    ]);
    assert.match(html, /<caption>Bots<\/caption>/);
  });

  test('a missing field becomes an empty cell', () => {
    assert.match(htmlTable('x', ['a', 'b'], [{ a: 'one' }]), /<tr><td>one<\/td><td><\/td><\/tr>/);
  });

  test('without records a message spans all columns', () => {
    assert.match(htmlTable('x', ['a', 'b', 'c'], []), /<tbody><tr><td colspan="3">[^<]+<\/td><\/tr><\/tbody>/);
  });

  test('loads no external resources and runs no scripts', () => {
    assert.doesNotMatch(htmlTable('x', ['a'], [{ a: 1 }]), /<script|<link|<img|url\(|@import|\son\w+=/i);
  });
});
