const PLACEHOLDER_ORIGIN = 'http://console.invalid';
/** The shape of our own links and redirects; every other text is refused. */
const SHAPE = /^\/console(?:\/[\w./-]*)?(?:\?[\w=&%.,:+-]*)?$/;

/** Returns the path when it stays inside the console, otherwise undefined. Prevents redirects to other sites. */
export function localPath(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > 500 || !SHAPE.test(text)) return undefined;
  // Parsing resolves `..`, so a path that leaves the console is visible afterwards.
  const { origin, pathname, search } = new URL(text, PLACEHOLDER_ORIGIN);
  const isLocal = origin === PLACEHOLDER_ORIGIN && /^\/console(?:\/|$)/.test(pathname) && !pathname.includes('//');
  return isLocal ? pathname + search : undefined;
}
