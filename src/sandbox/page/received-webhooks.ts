import { formatTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { clip } from '../../core/html.ts';
import type { Secrets } from '../../core/secrets.ts';
import { checkSignature, type SignatureCheck } from '../../modules/webhooks/index.ts';
import { type InboxDelivery, latestDeliveries } from '../inbox.ts';

const SHOWN_DELIVERIES = 20;
const MAX_BODY = 2_000;
/** Results are cached: a delivery must stay valid after its secret was rotated. */
const KEPT_RESULTS = 500;

/** Returns a function that reads the latest deliveries, newest first, each with the check of its signature. */
export function createWebhookReader({ db, secrets }: { readonly db: Database; readonly secrets: Secrets }) {
  const results = new Map<number, SignatureCheck>();

  async function checkOnce({ id, name, headers, body }: InboxDelivery): Promise<SignatureCheck> {
    const cached = results.get(id);
    if (cached !== undefined) return cached;
    const addressPart = `/sandbox/inbox/${encodeURIComponent(name)}`;
    const result = await checkSignature({ db, secrets }, { addressPart, headers, body });
    results.set(id, result);
    for (const oldest of results.keys()) {
      if (results.size <= KEPT_RESULTS) break;
      results.delete(oldest);
    }
    return result;
  }

  return async () => {
    const shown = [];
    for (const message of await latestDeliveries(db, SHOWN_DELIVERIES)) {
      shown.push({
        id: message.id,
        name: message.name,
        at: formatTimestamp(message.receivedAt),
        type: typeIn(message.body),
        signature: await checkOnce(message),
        body: clip(message.body, MAX_BODY),
      });
    }
    return shown;
  };
}

function typeIn(body: string): string | null {
  try {
    const event: unknown = JSON.parse(body);
    const type: unknown = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;
    return typeof type === 'string' ? clip(type, 60) : null;
  } catch {
    return null;
  }
}
