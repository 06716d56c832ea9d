import { formatTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { clip } from '../../core/html.ts';
import type { Secrets } from '../../core/secrets.ts';
import { checkSignature, type SignatureVerdict } from '../../modules/webhooks/index.ts';
import { type CaughtMessage, latestCaught } from './received-webhooks-store.ts';

const SHOWN_DELIVERIES = 20;
const MAX_BODY = 2_000;
/** Verdicts are remembered: a secret that was rotated away since must not turn an old message wrong. */
const KEPT_VERDICTS = 500;

/** What the catcher received last, newest first, each with the verdict on its signature. */
export function createCaughtView({ db, secrets }: { readonly db: Database; readonly secrets: Secrets }) {
  const verdicts = new Map<number, SignatureVerdict>();

  async function verdictOn({ id, name, headers, body }: CaughtMessage): Promise<SignatureVerdict> {
    const known = verdicts.get(id);
    if (known !== undefined) return known;
    const addressPart = `/sandbox/inbox/${encodeURIComponent(name)}`;
    const verdict = await checkSignature({ db, secrets }, { addressPart, headers, body });
    verdicts.set(id, verdict);
    for (const oldest of verdicts.keys()) {
      if (verdicts.size <= KEPT_VERDICTS) break;
      verdicts.delete(oldest);
    }
    return verdict;
  }

  return async () => {
    const caught = await latestCaught(db, SHOWN_DELIVERIES);
    const shown = [];
    for (const message of caught) {
      shown.push({
        id: message.id,
        name: message.name,
        at: formatTimestamp(message.receivedAt),
        type: typeIn(message.body),
        signature: await verdictOn(message),
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
