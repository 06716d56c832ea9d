import { byId } from '../../shared/dom.ts';
import { momentOf } from '../format.ts';
import { show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Call } from '../wire.ts';
import { codeBlock, type Entry, entryList, part } from './entries.ts';

/** Lists the requests to the API, from any client. */
export function mountCalls(): void {
  const empty = { element: byId('calls-empty', HTMLElement), text: t.calls.empty };
  const draw = entryList<Call>(byId('calls', HTMLElement), empty);
  show(
    (state) => [state.calls],
    ([calls]) => draw(calls, toEntry),
  );
}

function toEntry(call: Call): Entry {
  const mood = call.status < 400 ? 'good' : call.status < 500 ? 'warn' : 'bad';
  return {
    key: `${call.id} ${call.at}`,
    data: { path: call.path.split('?', 1)[0] ?? '', user: /"user_id":(\d+)/.exec(call.request ?? '')?.[1] ?? '' },
    summary: [
      part('method', call.method),
      part('entry-main path', call.path),
      part(`badge badge-${mood}`, String(call.status)),
      part('under', `${t.calls.ms(call.ms)} · ${momentOf(call.at)}`),
    ],
    details: [codeBlock(t.calls.request, call.request), codeBlock(t.calls.response, call.response)],
  };
}
