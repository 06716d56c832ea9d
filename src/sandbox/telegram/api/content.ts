import type { MessageEntity } from 'grammy/types';
import type { Picture } from '../files-store.ts';
import { badRequest } from './errors.ts';
import { type FormattedText, parseHtml } from './html.ts';
import { type Params, readParams } from './params.ts';

const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;

export function readText(params: Params): FormattedText {
  const formatted = readFormatted(params, 'text', 'entities');
  if (formatted.text.trim() === '') throw badRequest('message text is empty');
  if (formatted.text.length > MAX_TEXT) throw badRequest('message is too long');
  return formatted;
}

export function readCaption(params: Params): FormattedText {
  const formatted = readFormatted(params, 'caption', 'caption_entities');
  if (formatted.text.length > MAX_CAPTION) throw badRequest('message caption is too long');
  return formatted;
}

function readFormatted(params: Params, name: string, entitiesName: string): FormattedText {
  const source = params.text(name) ?? '';
  const mode = params.text('parse_mode')?.toLowerCase();
  if (mode === 'html') return parseHtml(source);
  // The service sends only HTML. Markdown read as plain text would show its asterisks, and no test would notice.
  if (mode) throw badRequest('unsupported parse_mode');
  const entities = params.json(entitiesName);
  return { text: source, entities: Array.isArray(entities) ? (entities.slice(0, 100) as MessageEntity[]) : [] };
}

/** Returns the picture of sendPhoto: an uploaded file, an address or an id. */
export function readPhoto(params: Params): Picture {
  const uploaded = params.bytes('photo');
  if (uploaded !== undefined) return uploaded;
  const photo = params.text('photo');
  if (photo === undefined || photo === '') throw badRequest('there is no photo in the request');
  return resolvePhoto(params, photo);
}

function resolvePhoto(params: Params, photo: string): Picture {
  if (!photo.startsWith('attach://')) return photo.slice(0, 256);
  const attached = params.bytes(photo.slice('attach://'.length));
  if (attached === undefined) throw badRequest('wrong file identifier/HTTP URL specified');
  return attached;
}

/** Returns the new picture and caption of editMessageMedia. */
export function readMedia(params: Params): { photo: Picture; caption: FormattedText } {
  const media = params.json('media');
  if (typeof media !== 'object' || media === null) throw badRequest("can't parse InputMedia: media is empty");
  const inner = readParams(new Map(Object.entries(media)));
  if (inner.text('type') !== 'photo') throw badRequest("can't parse InputMedia: only photos are known here");
  const photo = inner.text('media');
  if (!photo) throw badRequest("can't parse InputMedia: media not found");
  return { photo: resolvePhoto(params, photo), caption: readCaption(inner) };
}
