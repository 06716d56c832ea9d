const NOWHERE = 'http://console.invalid';
/** What we put into links and redirects ourselves; anything cleverer is not ours. */
const SHAPE = /^\/console(?:\/[\w./-]*)?(?:\?[\w=&%.,:+-]*)?$/;

/** A path of the console that somebody handed us, or nothing when it would lead elsewhere. */
export function localPath(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > 500 || !SHAPE.test(text)) return undefined;
  const url = new URL(text, NOWHERE);
  // Dots are resolved by now: what climbed out of the console shows here.
  if (url.origin !== NOWHERE || !/^\/console(?:\/|$)/.test(url.pathname) || url.pathname.includes('//'))
    return undefined;
  return url.pathname + url.search;
}
