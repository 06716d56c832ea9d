import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml } from '../../core/html.ts';
import { type Column, type HtmlReport, htmlReport } from './html-report.ts';

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

/** The tags of the report itself, with the document around it. Everything else must be text. */
const OWN_TAGS =
  /<!doctype html>|<style>[^<]*<\/style>|<\/?(?:html|head|body|meta|title|section|h1|table|thead|tbody|tr|th|td)(?: [\w-]+="[^"<>]*")*>/g;

const report = (columns: readonly Column[], rows: HtmlReport['rows'], of?: string): string =>
  htmlReport({ language: 'en', kind: 'subscriptions', columns, rows, ...(of !== undefined && { of }) });

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
    const columns = ['user_id', 'name', 'is_active'] as const;
    const row = fc.record({ user_id: fc.integer(), name: hostile, is_active: fc.boolean() }, { noNullPrototype: true });
    fc.assert(
      fc.property(hostile, fc.array(row, { maxLength: 5 }), (caption, rows) => {
        const html = report(columns, rows, caption);
        const texts = html.split(OWN_TAGS);
        for (const text of texts) assert.doesNotMatch(text, /[<>"']/);
        const shown = texts.map(decode);
        for (const text of [`Subscriptions: ${caption}`, ...rows.map(({ name }) => name)])
          assert.ok(shown.includes(text), text);
      }),
      { numRuns: 500 },
    );
  });

  test('has a row for each record and a cell for each column, in the given order', () => {
    const html = report(
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
      ['Number', 'Bot', 'Active', 'Revenue, ₽'],
      ['1', 'a_bot', 'yes', '7.05'],
      ['2', 'b_bot', 'no', '0'],
    ]);
    assert.match(html, /data-field="bot_username"/, 'programs find the columns by their fields');
  });

  test('a missing field becomes an empty cell', () => {
    assert.match(report(['name', 'created_at'], [{ name: 'one' }]), /<tr><td>one<\/td><td><\/td><\/tr>/);
  });

  test('without records a message spans all columns', () => {
    assert.match(report(['name', 'status', 'amount'], []), /<tbody><tr><td colspan="3">[^<]+<\/td><\/tr><\/tbody>/);
  });

  test('sets rules for the whole page only where an insertion into another page drops them', () => {
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(report(['name'], [])) ?? [];
    for (const rule of style.split('\n')) assert.match(rule, /^\.sg-report[ {]/);
  });

  test('loads no external resources and runs no scripts', () => {
    assert.doesNotMatch(report(['amount'], [{ amount: 1 }]), /<script|<link|<img|url\(|@import|\son\w+=/i);
  });
});
