/** Where a list continues, as every paged answer says it. */
export interface Page {
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** Every item of a paged list, asking for the next page when the last one is used up. */
export async function* everyItem<P extends Page, Item>(
  read: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    yield* itemsOf(page);
    // A cursor that leads nowhere new would be followed for ever.
    if (!page.has_more || page.next_cursor === null || page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  }
}
