import { clip } from '../../../core/html.ts';
import { botTokenIn } from '../../../modules/bots/index.ts';
import { chatNamedIn, proveBotOwner, type RequestedResource } from '../../../modules/orders/index.ts';
import type { ChatInspection, ConsoleDeps } from '../deps.ts';
import type { Visit } from '../visit.ts';
import type { OrderForm, WrongFields } from './order-form.ts';

/** The resource with the name that Telegram shows, or what is wrong with the typed one. */
type Resolved =
  | { readonly requested: RequestedResource; readonly title: string; readonly field: string }
  | { readonly wrong: WrongFields };

const refuse = (field: string, text: string): Resolved => ({ wrong: new Map([[field, text]]) });

/** Asks Telegram for the resource of a new order. The owner must administer the chat or own the bot. */
export function resolveResource(deps: ConsoleDeps, visit: Visit, form: OrderForm): Promise<Resolved> {
  switch (form.kind) {
    case 'channel':
      return resolveChat(deps, visit, form);
    case 'bot':
      return resolveBot(deps, visit, form);
    case 'external':
      return resolveExternal(deps, visit, form);
  }
}

async function resolveChat({ telegram }: ConsoleDeps, visit: Visit, { sent }: OrderForm): Promise<Resolved> {
  const { inputs } = visit.shared.orders;
  const chosen = sent.get('chat') ?? '';
  const field = /^-[1-9]\d{0,15}$/.test(chosen) ? 'chat' : 'chat_name';
  const reference = field === 'chat' ? Number(chosen) : chatNamedIn(sent.get('chat_name') ?? '');
  if (reference === undefined) return refuse(field, inputs.notUnderstood);
  if (reference === 'invite_link') return refuse(field, inputs.inviteLink);
  const found = await telegram.inspectChat(reference, visit.owner.telegramUserId);
  if (found.kind !== 'ready') {
    const bot = (await telegram.botToAdd()) ?? '…';
    return refuse(field, describeRefusal(visit, found, bot));
  }
  const { chatId, title, link } = found;
  if (link === undefined) return refuse(field, inputs.cannotInvite);
  return { requested: { type: 'channel', link, chatId }, title, field };
}

function describeRefusal({ shared }: Visit, found: Exclude<ChatInspection, { kind: 'ready' }>, bot: string): string {
  const { inputs } = shared.orders;
  switch (found.kind) {
    case 'not_found':
      return inputs.notFound({ bot });
    case 'not_a_chat':
      return inputs.notAChat;
    case 'not_admin':
      return inputs.notAdmin({ bot, title: clip(found.title ?? '…', 100) });
    case 'not_yours':
      return inputs.notYours({ title: clip(found.title, 100) });
    case 'unavailable':
      return shared.refusals.telegram_unavailable ?? '';
  }
}

async function resolveBot({ telegram }: ConsoleDeps, { shared }: Visit, { sent }: OrderForm): Promise<Resolved> {
  const field = 'bot_token';
  const { notAToken, tokenRefused } = shared.orders.inputs;
  const botToken = botTokenIn(sent.get(field) ?? '');
  if (botToken === undefined) return refuse(field, notAToken);
  const bot = await telegram.identifyBot(botToken);
  if (bot.kind === 'refused') return refuse(field, tokenRefused);
  if (bot.kind !== 'known') return refuse(field, shared.refusals.telegram_unavailable ?? '');
  return { requested: { type: 'bot', link: `https://t.me/${bot.username}`, botToken }, title: bot.title, field };
}

async function resolveExternal(deps: ConsoleDeps, { owner, shared }: Visit, { sent }: OrderForm): Promise<Resolved> {
  const field = 'bot_name';
  const { notAName, proveOwner } = shared.orders.inputs;
  const name = chatNamedIn(sent.get(field) ?? '');
  if (name === undefined || name === 'invite_link') return refuse(field, notAName);
  const proof = await proveBotOwner(deps, owner.accountId, name.slice(1));
  if (proof.kind === 'unavailable') return refuse(field, shared.refusals.telegram_unavailable ?? '');
  if (proof.kind === 'unproved') return refuse(field, proveOwner({ bot: name, code: proof.code }));
  return { requested: { type: 'bot', link: `https://t.me/${name.slice(1)}` }, title: name, field };
}
