/** What a person unfolded to read; the tour waits for some of it. */
export interface Looked {
  readonly at: 'call' | 'transfer' | 'webhook';
  /** Its path, its kind, its type. */
  readonly what: string;
}

const listeners: ((looked: Looked) => void)[] = [];

export const onLook = (listener: (looked: Looked) => void): void => void listeners.push(listener);

/** Tells when this is unfolded. */
export function tellLook(details: HTMLDetailsElement, looked: Looked): HTMLDetailsElement {
  details.addEventListener('toggle', () => {
    if (details.open) for (const listener of listeners) listener(looked);
  });
  return details;
}
