import { attributes, byId } from '../shared/dom.ts';
import { type State, show } from './store.ts';

export type Tab = 'phone' | 'exchange';
const TABS: readonly Tab[] = ['phone', 'exchange'];

/** On narrow screens, buttons switch between the phone and the exchange; wide screens show both. */
export function mountTabs(): void {
  for (const tab of TABS) byId(`tab-${tab}`, HTMLButtonElement).addEventListener('click', () => showTab(tab));
  showTab('phone');
  markChanges(
    'exchange',
    ({ exchange, ledger, calls, webhooks }) => exchange && [ledger[0]?.id, calls[0]?.id, webhooks.caught[0]?.id].join(),
  );
  markChanges('phone', ({ phone, personId }) =>
    phone === undefined ? undefined : `${personId} ${phone.chats.map((chat) => chat.last?.text ?? '').join('\n')}`,
  );
}

export function showTab(shown: Tab): void {
  document.body.dataset.tab = shown;
  for (const tab of TABS) {
    attributes(byId(`tab-${tab}`, HTMLButtonElement), { 'aria-pressed': String(tab === shown) });
    if (tab === shown) badge(tab).hidden = true;
  }
}

/** Shows the badge of a hidden side when its version changes. */
function markChanges(tab: Tab, versionOf: (state: State) => string | undefined): void {
  let before: string | undefined;
  show(
    (state) => [state.isLoaded ? versionOf(state) : undefined],
    ([version]) => {
      if (before !== undefined && version !== undefined && document.body.dataset.tab !== tab) badge(tab).hidden = false;
      before = version;
    },
  );
}

const badge = (tab: Tab): HTMLElement =>
  byId(`tab-${tab}`, HTMLButtonElement).querySelector('.tab-badge') as HTMLElement;
