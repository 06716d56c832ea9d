import type { Filter } from 'grammy';
import type { Area, BotContext } from '../bot-context.ts';

type MessageHandler = (ctx: Filter<BotContext, 'message'>, ...args: readonly string[]) => Promise<unknown>;

/** The answer to a question that may be any kind of message: a picture can be forwarded as well as a text. */
export function onMessage(area: Area, input: string, handler: MessageHandler): void {
  area
    .filter((ctx) => ctx.talk.expects?.input === input)
    .on('message', async (ctx) => {
      await handler(ctx, ...(ctx.talk.expects?.args ?? []));
    });
}
