/** An entry of a list that the visitor unfolded. The tour waits for some of them. */
export interface OpenedDetails {
  readonly list: 'call' | 'transfer' | 'webhook';
  /** The path of a call, the kind of a transfer, the type of a webhook. */
  readonly subject: string;
}

const listeners: ((opened: OpenedDetails) => void)[] = [];

export const onDetailsOpened = (listener: (opened: OpenedDetails) => void): void => void listeners.push(listener);

/** Calls the listeners each time these details are unfolded. */
export function reportOpening(details: HTMLDetailsElement, opened: OpenedDetails): HTMLDetailsElement {
  details.addEventListener('toggle', () => {
    if (details.open) for (const listener of listeners) listener(opened);
  });
  return details;
}
