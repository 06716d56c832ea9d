import type { ActiveChannel } from '../../modules/orders/index.ts';
import type { BotInspector } from '../../telegram/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MAX_NAMED = 10;

/** Asks Telegram whether the bot is an administrator of these channels, which are some of `total`. */
export async function channelFinding(
  subject: string,
  { inspector, botId, name }: { readonly inspector: BotInspector; readonly botId: number; readonly name: string },
  channels: readonly ActiveChannel[],
  total: number,
): Promise<Finding> {
  const access = await inspector.accessTo(
    channels.map(({ chatId }) => chatId),
    botId,
  );
  const lost = channels.filter((_, i) => access[i] === 'not_admin').map(({ orderId }) => orderId);
  const unknown = access.filter((verdict) => verdict === 'unknown').length;
  const looked = `${channels.length - unknown} of ${total} channels of active orders looked at`;
  if (lost.length === 0 && unknown === 0) return ok(subject, `${looked}, ${name} is an administrator in all`);
  if (lost.length === 0) return warn(subject, `${looked}, then Telegram stopped answering: try again later`);
  const named = lost.slice(0, MAX_NAMED).join(', ') + (lost.length > MAX_NAMED ? ', …' : '');
  const level = lost.length === channels.length && lost.length > 1 ? fail : warn;
  return level(subject, `${looked}; ${name} is no administrator in ${lost.length} (order ${named}): tell their owners`);
}

/** Returns the host of a webhook. The rest of its address can be a secret of another program. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'another address';
}
