import { attributes, byId } from '../shared/dom.ts';

export type Tab = 'phone' | 'world';

/** On narrow screens, buttons switch between the phone and the world; wide screens show both. */
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
