import { byId } from '../shared/dom.ts';
import { mountCalls } from './exchange/calls.ts';
import { mountClock } from './exchange/clock.ts';
import { mountFaults } from './exchange/faults.ts';
import { mountLedger } from './exchange/ledger.ts';
import { mountMoney } from './exchange/money.ts';
import { mountOrders } from './exchange/orders.ts';
import { mountWebhooks } from './exchange/webhooks.ts';
import { startStream } from './live-stream.ts';
import { restorePhone } from './phone/navigate.ts';
import { mountPersons } from './phone/persons.ts';
import { mountPhone } from './phone/phone.ts';
import { show } from './store.ts';
import { mountTabs } from './tabs.ts';
import { t } from './texts/index.ts';
import { mountTour } from './tour/tour.ts';

restorePhone();
mountTabs();
mountPersons();
mountPhone();
mountClock();
mountMoney();
mountOrders();
mountLedger();
mountCalls();
mountWebhooks();
mountFaults();
// The tour comes last, because it marks elements that the others draw.
mountTour();

const GUIDE_CLOSED = 'sponsorgate sandbox guide closed';
const guide = byId('guide', HTMLDetailsElement);
guide.open = localStorage.getItem(GUIDE_CLOSED) === null;
guide.addEventListener('toggle', () => {
  if (guide.open) localStorage.removeItem(GUIDE_CLOSED);
  else localStorage.setItem(GUIDE_CLOSED, 'yes');
});

const connection = byId('connection', HTMLElement);
let wasConnected = false;
show(
  (state) => [state.isConnected],
  ([isConnected]) => {
    connection.textContent = isConnected || !wasConnected ? '' : t.reconnecting;
    wasConnected ||= isConnected;
  },
);
startStream();
