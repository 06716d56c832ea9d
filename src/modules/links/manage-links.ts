import { publishChanges } from '../../core/changes.ts';
import type { Transaction } from '../../core/database.ts';
import { assert, type FieldError } from '../../core/errors.ts';
import { generateCode, type Link, type LinkRule } from './link.ts';
import { checkRules, checkUrl } from './rules.ts';
import { insertLink, markDeleted, updateLink } from './store.ts';

export type LinkOutcome =
  | { readonly kind: 'saved'; readonly link: Link }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'not_found' };

export interface LinkInput {
  readonly url?: string | undefined;
  readonly name?: string | undefined;
  readonly rules?: readonly LinkRule[] | undefined;
}

const MAX_NAME_LENGTH = 200;
/** With 31⁸ codes, two collisions in a row already indicate a bug. */
const MAX_ATTEMPTS = 10;

export async function createLink(
  tx: Transaction,
  { accountId, at, ...input }: LinkInput & { accountId: number; url: string; at: Date },
): Promise<LinkOutcome> {
  const checked = check(input);
  if (checked.kind === 'invalid') return checked;
  const { url = '', name = '', rules = [] } = checked;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const link = await insertLink(tx, { accountId, code: generateCode(), url, name, rules, createdAt: at });
    if (link === undefined) continue;
    await publishChanges(tx, { kind: 'link', id: link.id });
    return { kind: 'saved', link };
  }
  assert(false, 'a random code is free');
}

/** Changes the given fields and keeps the others. The code never changes, because it may be printed. */
export async function changeLink(
  tx: Transaction,
  { linkId, accountId, ...input }: LinkInput & { linkId: number; accountId: number },
): Promise<LinkOutcome> {
  const checked = check(input);
  if (checked.kind === 'invalid') return checked;
  const { url, name, rules } = checked;
  const link = await updateLink(tx, { linkId, accountId, url, name, rules });
  if (link === undefined) return { kind: 'not_found' };
  await publishChanges(tx, { kind: 'link', id: linkId });
  return { kind: 'saved', link };
}

/** Deletes a link. Its code is never used again, and its clicks are kept. Returns whether the link existed. */
export async function deleteLink(
  tx: Transaction,
  link: { linkId: number; accountId: number; at: Date },
): Promise<boolean> {
  const isDeleted = await markDeleted(tx, link);
  if (isDeleted) await publishChanges(tx, { kind: 'link', id: link.linkId });
  return isDeleted;
}

interface Clean {
  readonly kind: 'clean';
  readonly url: string | undefined;
  readonly name: string | undefined;
  readonly rules: readonly LinkRule[] | undefined;
}

function check(input: LinkInput): Clean | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] } {
  const url = input.url === undefined ? undefined : checkUrl(input.url);
  const rules = input.rules === undefined ? undefined : checkRules(input.rules);
  const name = input.name?.trim();
  const errors: FieldError[] = [];
  if (url?.ok === false) errors.push(...url.errors);
  if (rules?.ok === false) errors.push(...rules.errors);
  if (name !== undefined && (name.length > MAX_NAME_LENGTH || name.includes('\0'))) {
    errors.push({ field: 'name', message: `must be a text of at most ${MAX_NAME_LENGTH} characters` });
  }
  if (errors.length > 0) return { kind: 'invalid', errors };
  return { kind: 'clean', url: url?.ok ? url.value : undefined, name, rules: rules?.ok ? rules.value : undefined };
}
