import type { Context, MiddlewareFn, NextFunction } from 'grammy';
import { Coalescer } from './coalesce.ts';
import { Desk } from './desk.ts';
import { ExpiringSet } from './expiring-set.ts';
import { type Confirmed, Judge, type Unavailable, type Verdict } from './judge.ts';
import { ownerOfButton } from './keyboard.ts';
import { DEFAULTS, type SponsorGateOptions } from './options.ts';
import { describeUser, type Visitor, visitorOf } from './visitor.ts';

const QUIET_MS = 60_000;

/** Lets users through to the handlers after it once they have subscribed to the sponsors they are shown. */
export function sponsorGate<C extends Context = Context>(options: SponsorGateOptions<C>): MiddlewareFn<C> {
  const prefix = options.callbackPrefix ?? DEFAULTS.callbackPrefix;
  if (!/^[\w-]{1,40}$/.test(prefix)) throw new TypeError('callbackPrefix: 1 to 40 letters, digits, _ or -');
  const gate = new Gate(options, prefix);
  return (ctx, next) => {
    const owner = ownerOfButton(ctx.callbackQuery?.data, prefix);
    return owner === undefined ? gate.meet(ctx, next) : gate.press(ctx, next, owner);
  };
}

class Gate<C extends Context> {
  readonly #options: SponsorGateOptions<C>;
  readonly #prefix: string;
  readonly #judge: Judge;
  readonly #quiet: ExpiringSet;
  readonly #asked = new Coalescer<Verdict>();
  readonly #pressed = new Coalescer<Confirmed>();
  readonly #isOpenWhenUnavailable: boolean;

  constructor(options: SponsorGateOptions<C>, prefix: string) {
    this.#options = options;
    this.#prefix = prefix;
    const now = options.now ?? Date.now;
    const maxPasses = options.maxPasses ?? DEFAULTS.maxPasses;
    this.#judge = new Judge({
      client: options.client,
      passSeconds: options.passSeconds ?? DEFAULTS.passSeconds,
      maxPasses,
      timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
      now,
    });
    this.#quiet = new ExpiringSet({ ttlMs: QUIET_MS, maxSize: maxPasses, now });
    this.#isOpenWhenUnavailable = (options.onUnavailable ?? DEFAULTS.onUnavailable) === 'open';
  }

  /** Somebody writes, or presses a button of the bot's own. */
  async meet(ctx: C, next: NextFunction): Promise<void> {
    const visitor = visitorOf(ctx, this.#options.groups ?? false);
    if (visitor === undefined || (await this.#isSkipped(ctx))) return next();
    const { result, isFirst } = await this.#asked.run(String(visitor.user.id), () =>
      this.#judge.ask(describeUser(visitor, this.#options.maxSponsors)),
    );
    if (result.kind === 'pass') return next();
    const desk = this.#deskOf(ctx, visitor);
    // Of messages that came at once, one is answered with the list.
    if (result.kind === 'tasks' && !isFirst) return desk.wait();
    if (result.kind === 'tasks' && (await desk.showSponsors(result.sponsors))) return undefined;
    // Nobody can do what nobody was shown, so a list that could not be sent is an outage as well.
    if (result.kind === 'unavailable') this.#reportOutage(result, isFirst, ctx);
    if (this.#isOpenWhenUnavailable) return next();
    if (result.kind === 'unavailable') await desk.sayUnavailable();
  }

  /** Somebody presses "I subscribed". */
  async press(ctx: C, next: NextFunction, ownerId: number): Promise<void> {
    const visitor = visitorOf(ctx, true);
    if (visitor === undefined) return next();
    const desk = this.#deskOf(ctx, visitor);
    if (visitor.user.id !== ownerId) return desk.sayNotYours();
    const { result, isFirst } = await this.#pressed.run(String(ownerId), () =>
      this.#judge.confirm(describeUser(visitor, this.#options.maxSponsors)),
    );
    if (!isFirst) return desk.wait();
    switch (result.kind) {
      case 'missing':
        return desk.sayMissing(result.sponsors, result.checkLater);
      case 'unavailable':
        this.#reportOutage(result, isFirst, ctx);
        return this.#isOpenWhenUnavailable ? this.#letIn(ctx, next, desk) : desk.sayUnavailable();
      case 'pass':
        return this.#letIn(ctx, next, desk);
    }
  }

  /** What the bot itself then does, and what goes wrong there, is the bot's own business. */
  async #letIn(ctx: C, next: NextFunction, desk: Desk): Promise<void> {
    const { onPassed } = this.#options;
    await desk.sayPassed({ isListRemoved: onPassed !== undefined });
    if (onPassed === undefined) await next();
    else await onPassed(ctx, next);
  }

  #deskOf(ctx: C, visitor: Visitor): Desk {
    const { texts } = this.#options;
    const report = (error: unknown): void => this.#report(error, ctx);
    return new Desk({ ctx, visitor, prefix: this.#prefix, texts, quiet: this.#quiet, report });
  }

  async #isSkipped(ctx: C): Promise<boolean> {
    try {
      return (await this.#options.skip?.(ctx)) === true;
    } catch (error) {
      this.#report(error, ctx);
      return false;
    }
  }

  #reportOutage({ error }: Unavailable, isFirst: boolean, ctx: C): void {
    if (error !== undefined && isFirst) this.#report(error, ctx);
  }

  #report(error: unknown, ctx: C): void {
    try {
      if (this.#options.onError !== undefined) this.#options.onError(error, ctx);
      // biome-ignore lint/suspicious/noConsole: a gate that fails in silence costs money unnoticed.
      else console.error(`sponsorgate: ${error instanceof Error ? error.message : String(error)}`);
    } catch {
      // Whoever is told of errors must not make new ones.
    }
  }
}
