import { usernameIn } from '../../../modules/orders/index.ts';

/** Reads a typed chat name: `@name`, `name`, `t.me/name`. */
export function chatNamedIn(text: string): `@${string}` | 'invite_link' | undefined {
  const typed = text.trim();
  if (/(?:t|telegram)\.me\/(?:\+|joinchat\/)/i.test(typed)) return 'invite_link';
  const name = usernameIn(typed.replace(/^(?:https?:\/\/)?(?=(?:t|telegram)\.me\/)/i, 'https://')) ?? typed;
  return /^@?[A-Za-z]\w{3,31}$/.test(name) ? `@${name.replace('@', '')}` : undefined;
}
