import type { Filter } from 'grammy';
import type { Area, BotContext } from '../bot-context.ts';

type MessageHandler = (ctx: Filter<BotContext, 'message'>, ...args: readonly string[]) => Promise<unknown>;

/** Handles a reply of any kind, such as a forwarded picture. */
export function onMessage(area: Area, input: string, handler: MessageHandler): void {
  area
    .filter((ctx) => ctx.talk.expects?.input === input)
    .on('message', async (ctx) => {
      await handler(ctx, ...(ctx.talk.expects?.args ?? []));
    });
}
