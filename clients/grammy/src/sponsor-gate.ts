import type { Context, MiddlewareFn, NextFunction } from 'grammy';
import { AccessChecker, type AccessOutcome, type ConfirmOutcome, type Unavailable } from './check-access.ts';
import { Coalescer } from './coalesce.ts';
import { ExpiringSet } from './expiring-set.ts';
import { GateMessages } from './gate-messages.ts';
import { describeUser, type GatedUser, gatedUserOf } from './gated-user.ts';
import { ownerOfButton } from './keyboard.ts';
import { DEFAULTS, type SponsorGateOptions } from './options.ts';

const MESSAGE_PAUSE_MS = 60_000;

/** Calls the handlers after it only for users who have subscribed to the sponsors that the gate shows. */
export function sponsorGate<C extends Context = Context>(options: SponsorGateOptions<C>): MiddlewareFn<C> {
  const prefix = options.callbackPrefix ?? DEFAULTS.callbackPrefix;
  if (!/^[\w-]{1,40}$/.test(prefix)) throw new TypeError('callbackPrefix: 1 to 40 letters, digits, _ or -');
  const gate = new Gate(options, prefix);
  return (ctx, next) => {
    const owner = ownerOfButton(ctx.callbackQuery?.data, prefix);
    return owner === undefined ? gate.onUpdate(ctx, next) : gate.onPress(ctx, next, owner);
  };
}

class Gate<C extends Context> {
  readonly #options: SponsorGateOptions<C>;
  readonly #prefix: string;
  readonly #access: AccessChecker;
  readonly #recent: ExpiringSet;
  readonly #checks = new Coalescer<AccessOutcome>();
  readonly #confirms = new Coalescer<ConfirmOutcome>();
  readonly #isOpenWhenUnavailable: boolean;

  constructor(options: SponsorGateOptions<C>, prefix: string) {
    this.#options = options;
    this.#prefix = prefix;
    const now = options.now ?? Date.now;
    const maxPasses = options.maxPasses ?? DEFAULTS.maxPasses;
    this.#access = new AccessChecker({
      client: options.client,
      passSeconds: options.passSeconds ?? DEFAULTS.passSeconds,
      maxPasses,
      timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
      now,
    });
    this.#recent = new ExpiringSet({ ttlMs: MESSAGE_PAUSE_MS, maxSize: maxPasses, now });
    this.#isOpenWhenUnavailable = (options.onUnavailable ?? DEFAULTS.onUnavailable) === 'open';
  }

  /** Handles a message, or a press of one of the bot's own buttons. */
  async onUpdate(ctx: C, next: NextFunction): Promise<void> {
    const gated = gatedUserOf(ctx, this.#options.groups ?? false);
    if (gated === undefined || (await this.#isSkipped(ctx))) return next();
    const { result, isFirst } = await this.#checks.run(String(gated.user.id), () =>
      this.#access.check(describeUser(gated, this.#options.maxSponsors)),
    );
    if (result.kind === 'pass') return next();
    const messages = this.#messagesTo(ctx, gated);
    // Of several messages at once, one gets the list.
    if (result.kind === 'tasks' && !isFirst) return messages.stopSpinner();
    if (result.kind === 'tasks' && (await messages.showSponsors(result.sponsors))) return undefined;
    // Users cannot do tasks that they do not see, so a list that Telegram rejects counts as an outage.
    if (result.kind === 'unavailable') this.#reportOutage(result, isFirst, ctx);
    if (this.#isOpenWhenUnavailable) return next();
    if (result.kind === 'unavailable') await messages.showUnavailable();
  }

  /** Handles a press of "I subscribed". */
  async onPress(ctx: C, next: NextFunction, ownerId: number): Promise<void> {
    const gated = gatedUserOf(ctx, true);
    if (gated === undefined) return next();
    const messages = this.#messagesTo(ctx, gated);
    if (gated.user.id !== ownerId) return messages.showNotYours();
    const { result, isFirst } = await this.#confirms.run(String(ownerId), () =>
      this.#access.confirm(describeUser(gated, this.#options.maxSponsors)),
    );
    if (!isFirst) return messages.stopSpinner();
    switch (result.kind) {
      case 'missing':
        return messages.showMissing(result.sponsors, result.checkLater);
      case 'unavailable':
        this.#reportOutage(result, isFirst, ctx);
        return this.#isOpenWhenUnavailable ? this.#letIn(ctx, next, messages) : messages.showUnavailable();
      case 'pass':
        return this.#letIn(ctx, next, messages);
    }
  }

  /** Errors of the bot's own handlers are thrown to the bot. */
  async #letIn(ctx: C, next: NextFunction, messages: GateMessages): Promise<void> {
    const { onPassed } = this.#options;
    await messages.showPassed({ isListRemoved: onPassed !== undefined });
    if (onPassed === undefined) await next();
    else await onPassed(ctx, next);
  }

  #messagesTo(ctx: C, gated: GatedUser): GateMessages {
    const { texts } = this.#options;
    const report = (error: unknown): void => this.#report(error, ctx);
    return new GateMessages({ ctx, gated, prefix: this.#prefix, texts, recent: this.#recent, report });
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
      // biome-ignore lint/suspicious/noConsole: a silent failure of the gate costs money.
      else console.error(`sponsorgate: ${error instanceof Error ? error.message : String(error)}`);
    } catch {
      // An error in the bot's onError must not stop the update.
    }
  }
}
