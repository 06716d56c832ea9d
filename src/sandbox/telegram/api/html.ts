import type { MessageEntity } from 'grammy/types';
import { badRequest } from './errors.ts';

export interface FormattedText {
  readonly text: string;
  readonly entities: MessageEntity[];
}

type SimpleType = MessageEntity.CommonMessageEntity['type'];

const SIMPLE_TAGS: Readonly<Record<string, SimpleType>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  blockquote: 'blockquote',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
};

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const TOKEN = /<(\/?)([A-Za-z][A-Za-z0-9-]*)([^<>]*)>|<|&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot));/gi;

interface OpenTag {
  readonly name: string;
  readonly attributes: string;
  readonly offset: number;
  readonly at: number;
}

/** Parses HTML as strictly as Telegram: rejects unknown tags and tags that are not closed. */
export function parseHtml(html: string): FormattedText {
  let text = '';
  let position = 0;
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  for (const match of html.matchAll(TOKEN)) {
    text += html.slice(position, match.index);
    position = match.index + match[0].length;
    const at = Buffer.byteLength(html.slice(0, match.index));
    const [whole, slash, rawName, attributes = '', hex, decimal, named] = match;
    if (!whole.startsWith('<')) {
      text += named ? NAMED[named.toLowerCase()] : codePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
      continue;
    }
    const name = rawName?.toLowerCase();
    if (name === undefined) throw refuse(`Unsupported start tag "" at byte offset ${at}`);
    if (!slash) {
      if (!isSupported(name)) throw refuse(`Unsupported start tag "${name}" at byte offset ${at}`);
      open.push({ name, attributes, offset: text.length, at });
      continue;
    }
    const tag = open.pop();
    if (!tag) throw refuse(`Unexpected end tag at byte offset ${at}`);
    if (tag.name !== name) {
      throw refuse(`Unmatched end tag at byte offset ${at}, expected "</${tag.name}>", found "</${name}>"`);
    }
    const entity = toEntity(tag, text);
    if (entity) entities.push(entity);
  }
  text += html.slice(position);
  const unclosed = open.pop();
  if (unclosed) throw refuse(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
}

const isSupported = (name: string): boolean =>
  Object.hasOwn(SIMPLE_TAGS, name) || name === 'a' || name === 'pre' || name === 'tg-emoji';

function toEntity({ name, attributes, offset }: OpenTag, text: string): MessageEntity | undefined {
  const place = { offset, length: text.length - offset };
  if (place.length === 0) return undefined;
  if (name === 'pre') return { type: 'pre', ...place };
  if (name === 'a') {
    const url = attribute(attributes, 'href') ?? text.slice(offset);
    return { type: 'text_link', url, ...place };
  }
  if (name === 'tg-emoji') {
    return { type: 'custom_emoji', custom_emoji_id: attribute(attributes, 'emoji-id') ?? '', ...place };
  }
  const type = SIMPLE_TAGS[name];
  return type && { type, ...place };
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i').exec(attributes);
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  return value?.replace(/&(lt|gt|amp|quot);/gi, (_, named: string) => NAMED[named.toLowerCase()] ?? '');
}

const codePoint = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

const refuse = (reason: string) => badRequest(`can't parse entities: ${reason}`);
