const MARK = 'tour-target';

/** Marks the elements to press next. Call it after drawing, because drawing replaces elements. */
export function highlight(selector: string): void {
  const wanted = new Set(document.querySelectorAll(selector));
  for (const marked of document.querySelectorAll(`.${MARK}`)) if (!wanted.has(marked)) marked.classList.remove(MARK);
  for (const element of wanted) element.classList.add(MARK);
}

export function clearHighlight(): void {
  for (const marked of document.querySelectorAll(`.${MARK}`)) marked.classList.remove(MARK);
}
