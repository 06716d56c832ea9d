import type { Context, MiddlewareFn } from 'grammy';
import { Gate, type SponsorGateOptions, type TelegramUpdate } from '../../gate/src/index.ts';

/** Calls the handlers after it only for users who have subscribed to the sponsors that the gate shows. */
export function sponsorGate<C extends Context = Context>(options: SponsorGateOptions<C>): MiddlewareFn<C> {
  const gate = new Gate<C>(options);
  return (ctx, next) =>
    gate.handle({
      ctx,
      update: ctx.update,
      call: (method, payload) => callApi(ctx, method, payload),
      async proceed(update) {
        replaceUpdate(ctx, update);
        await next();
      },
    });
}

function callApi(ctx: Context, method: string, payload: Record<string, unknown>): Promise<unknown> {
  const raw = ctx.api.raw as unknown as Record<string, (payload: Record<string, unknown>) => Promise<unknown>>;
  const send = raw[method];
  if (send === undefined) throw new TypeError(`grammY has no method ${method}`);
  return send(payload);
}

/** Lets the handlers see the held update: the shortcuts of grammY's context read `ctx.update` at every use. */
function replaceUpdate(ctx: Context, update: TelegramUpdate): void {
  if (update !== ctx.update) (ctx as { update: unknown }).update = update;
}
