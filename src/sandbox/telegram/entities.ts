import type { MessageEntity } from 'grammy/types';

/** Bot frameworks recognize commands and links by their entities, so a person's message must have them. */
const PATTERNS: readonly { type: 'bot_command' | 'url' | 'mention'; pattern: RegExp }[] = [
  { type: 'bot_command', pattern: /(?<![\w/<>])\/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?![\w/])/g },
  { type: 'url', pattern: /\b(?:https?:\/\/[^\s<>"]+|t\.me\/[^\s<>"]+)/g },
  { type: 'mention', pattern: /(?<![\w/@.])@[A-Za-z]\w{3,31}\b/g },
];

const MAX_ENTITIES = 100;

export function findEntities(text: string): MessageEntity[] {
  const found: MessageEntity[] = [];
  for (const { type, pattern } of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      if (found.length >= MAX_ENTITIES) return found;
      const overlaps = found.some(
        (entity) => match.index < entity.offset + entity.length && entity.offset < match.index + match[0].length,
      );
      if (!overlaps) found.push({ type, offset: match.index, length: match[0].length });
    }
  }
  return found.sort((a, b) => a.offset - b.offset);
}
