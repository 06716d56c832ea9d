import { attributes, byId, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { momentOf, pretty } from '../format.ts';
import { show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Call } from '../wire.ts';
import { reportOpening } from './opened-details.ts';

const SHOWN = 30;

/** Lists the requests to the API, from any client. */
export function mountCalls(): void {
  const list = byId('calls', HTMLElement);
  const empty = byId('calls-empty', HTMLElement);
  show(
    (state) => [state.calls],
    ([calls]) => {
      keyedList(list, calls.slice(0, SHOWN), { key: (call) => `${call.id} ${call.at}`, render: callEntry });
      empty.textContent = calls.length === 0 ? t.calls.empty : '';
    },
  );
}

function callEntry(call: Call): HTMLElement {
  const mood = call.status < 400 ? 'good' : call.status < 500 ? 'warn' : 'bad';
  const details = element(
    'details',
    { className: 'entry entry-call' },
    element(
      'summary',
      {},
      element('span', { className: 'method' }, call.method),
      element('span', { className: 'entry-main path' }, call.path),
      element('span', { className: `badge badge-${mood}` }, String(call.status)),
      element('span', { className: 'under' }, `${t.calls.ms(call.ms)} · ${momentOf(call.at)}`),
    ),
    body(t.calls.request, call.request),
    body(t.calls.response, call.response),
  );
  attributes(details, { 'data-path': call.path.split('?', 1)[0] });
  return reportOpening(details, { list: 'call', subject: call.path });
}

export function body(title: string, text: string | null): HTMLElement {
  const block = element('pre', { className: 'body', tabIndex: 0 }, text === null ? t.calls.nothing : pretty(text));
  attributes(block, { role: 'group', 'aria-label': title });
  return element('div', {}, element('h4', {}, title), block);
}
