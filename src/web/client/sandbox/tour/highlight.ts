const MARK = 'tour-target';

/** Marks what is to be pressed next. Called after everything is drawn, since drawing makes elements anew. */
export function highlight(selector: string): void {
  const wanted = new Set(document.querySelectorAll(selector));
  for (const marked of document.querySelectorAll(`.${MARK}`)) if (!wanted.has(marked)) marked.classList.remove(MARK);
  for (const element of wanted) element.classList.add(MARK);
}

export function clearHighlight(): void {
  for (const marked of document.querySelectorAll(`.${MARK}`)) marked.classList.remove(MARK);
}
