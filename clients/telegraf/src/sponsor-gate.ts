import type { Context, MiddlewareFn } from 'telegraf';
import { Gate, type SponsorGateOptions, type TelegramUpdate } from '../../gate/src/index.ts';

/** Calls the handlers after it only for users who have subscribed to the sponsors that the gate shows. */
export function sponsorGate<C extends Context = Context>(options: SponsorGateOptions<C>): MiddlewareFn<C> {
  const gate = new Gate<C>(options);
  return (ctx, next) =>
    gate.handle({
      ctx,
      update: ctx.update,
      // Telegraf's types know each method by its name; the gate checks its payloads itself.
      call: (method, payload) => ctx.telegram.callApi(method as never, payload as never),
      async proceed(update) {
        replaceUpdate(ctx, update);
        await next();
      },
    });
}

/** Lets the handlers see the held update: the shortcuts of Telegraf's context read `ctx.update` at every use. */
function replaceUpdate(ctx: Context, update: TelegramUpdate): void {
  if (update !== ctx.update) (ctx as { update: unknown }).update = update;
}
