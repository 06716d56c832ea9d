import { attributes, byId } from '../shared/dom.ts';

export type Tab = 'phone' | 'world';

/** On a narrow screen the phone and the world take turns; on a wide one both are there and these buttons are not. */
export function mountTabs(): void {
  for (const tab of ['phone', 'world'] as const) {
    byId(`tab-${tab}`, HTMLButtonElement).addEventListener('click', () => showTab(tab));
  }
  showTab('phone');
}

export function showTab(shown: Tab): void {
  document.body.dataset.tab = shown;
  for (const tab of ['phone', 'world'] as const) {
    attributes(byId(`tab-${tab}`, HTMLButtonElement), { 'aria-pressed': String(tab === shown) });
  }
}
