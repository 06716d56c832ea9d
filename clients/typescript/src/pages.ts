/** The fields of every paged response. */
export interface Page {
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** Iterates over all items of a paged list. Reads a page when the previous one is used up. */
export async function* everyItem<P extends Page, Item>(
  read: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    yield* itemsOf(page);
    // A repeated cursor would cause an endless loop.
    if (!page.has_more || page.next_cursor === null || page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  }
}
