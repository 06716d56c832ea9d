import { byId } from '../shared/dom.ts';
import { startStream } from './live-stream.ts';
import { restorePhone } from './phone/navigate.ts';
import { mountPersons } from './phone/persons.ts';
import { mountPhone } from './phone/phone.ts';
import { show } from './store.ts';
import { mountTabs } from './tabs.ts';
import { t } from './texts/index.ts';
import { mountTour } from './tour/tour.ts';
import { mountCalls } from './world/calls.ts';
import { mountClock } from './world/clock.ts';
import { mountFaults } from './world/faults.ts';
import { mountLedger } from './world/ledger.ts';
import { mountMoney } from './world/money.ts';
import { mountOrders } from './world/orders.ts';
import { mountWebhooks } from './world/webhooks.ts';

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
