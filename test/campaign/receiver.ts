import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { ReceiverMode } from './plan.ts';

/**
 * A webhook endpoint for all accounts. It stores the events that it acknowledged. The campaign can make it refuse
 * events.
 */
export interface CampaignReceiver {
  readonly url: string;
  /** The ids of the events that got a 2xx reply. */
  readonly taken: ReadonlySet<string>;
  misbehave(mode: ReceiverMode | undefined): void;
  close(): Promise<void>;
}

export async function startCampaignReceiver(): Promise<CampaignReceiver> {
  const taken = new Set<string>();
  let mode: ReceiverMode | undefined;
  const receiver: Receiver = await startReceiver((response, message) => {
    switch (mode) {
      case undefined:
        taken.add(message.id);
        response.writeHead(204).end();
        return;
      case '500':
        response.writeHead(500).end('out of order');
        return;
      case 'hang':
        return; // the connection stays open until the sender times out
      case 'hang up':
        response.destroy();
    }
  });
  return {
    url: receiver.url,
    taken,
    misbehave(to) {
      mode = to;
    },
    close: () => receiver.close(),
  };
}
