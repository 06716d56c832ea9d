import {
  AccessChecker,
  type AccessOutcome,
  type ConfirmOutcome,
  statusOf,
  type Unavailable,
  within,
} from './access.ts';
import { Coalescer } from './coalesce.ts';
import { ExpiringSet } from './expiring-set.ts';
import { ownerOfButton } from './keyboard.ts';
import { type CallTelegram, GateMessages } from './messages.ts';
import { DEFAULTS, type SponsorGateOptions } from './options.ts';
import { MemoryStorage } from './storage.ts';
import { describeUser, type GatedKind, type GatedUser, gatedUserOf, type TelegramUpdate } from './updates.ts';

const MESSAGE_PAUSE_MS = 60_000;
const ALL_KINDS: readonly GatedKind[] = ['message', 'edited_message', 'callback_query', 'inline_query'];

/** One update, as a framework passes it to the gate. */
export interface GateInput<Ctx> {
  readonly ctx: Ctx;
  readonly update: TelegramUpdate;
  readonly call: CallTelegram;
  /** Calls the handlers after the gate, with the context of this update. */
  readonly proceed: (update: TelegramUpdate) => Promise<void>;
}

/** The gate without a framework: a framework's package passes its updates to `handle`. */
export class Gate<Ctx> {
  readonly #options: SponsorGateOptions<Ctx>;
  readonly #prefix: string;
  readonly #access: AccessChecker;
  readonly #recent: ExpiringSet;
  readonly #checks = new Coalescer<AccessOutcome>();
  readonly #confirms = new Coalescer<ConfirmOutcome>();
  readonly #isOpenWhenUnavailable: boolean;

  constructor(options: SponsorGateOptions<Ctx>) {
    this.#options = options;
    this.#prefix = options.callbackPrefix ?? DEFAULTS.callbackPrefix;
    if (!/^[\w-]{1,40}$/.test(this.#prefix)) throw new TypeError('callbackPrefix: 1 to 40 letters, digits, _ or -');
    const now = options.now ?? Date.now;
    const maxSize = options.maxPasses ?? DEFAULTS.maxPasses;
    this.#access = new AccessChecker({
      client: options.client,
      storage: options.storage ?? new MemoryStorage(maxSize),
      passSeconds: options.passSeconds ?? DEFAULTS.passSeconds,
      replaySeconds: options.replaySeconds ?? DEFAULTS.replaySeconds,
      timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
      now,
      report: (error) => this.#report(error),
    });
    this.#recent = new ExpiringSet({ ttlMs: MESSAGE_PAUSE_MS, maxSize, now });
    this.#isOpenWhenUnavailable = (options.onUnavailable ?? DEFAULTS.onUnavailable) === 'open';
    void this.#checkToken();
  }

  handle(input: GateInput<Ctx>): Promise<void> {
    const owner = ownerOfButton(input.update.callback_query?.data, this.#prefix);
    return owner === undefined ? this.#onUpdate(input) : this.#onPress(input, owner);
  }

  /** Handles a message, or a press of one of the bot's own buttons. */
  async #onUpdate(input: GateInput<Ctx>): Promise<void> {
    const { update, proceed } = input;
    const { updates: kinds = DEFAULTS.updates, groups = false, maxSponsors } = this.#options;
    const gated = gatedUserOf(update, { kinds, groups });
    if (gated === undefined || (await this.#isSkipped(input.ctx))) return proceed(update);
    const userId = gated.user.id;
    const { result, isFirst } = await this.#checks.run(String(userId), () =>
      this.#access.check(describeUser(gated, maxSponsors)),
    );
    if (result.kind === 'pass') return proceed(update);
    const messages = this.#messagesTo(input, gated);
    if (result.kind === 'tasks' && gated.kind !== 'inline_query') await this.#access.hold(userId, update);
    // Of several messages at once, one gets the list.
    if (result.kind === 'tasks' && !isFirst) return messages.stopSpinner();
    if (result.kind === 'tasks' && (await messages.showSponsors(result.sponsors))) return undefined;
    // Users cannot do tasks that they do not see, so a list that Telegram rejects counts as an outage.
    if (result.kind === 'unavailable') this.#reportOutage(result, isFirst, input.ctx);
    if (this.#isOpenWhenUnavailable) return proceed(update);
    if (result.kind === 'unavailable') await messages.showUnavailable();
  }

  /** Handles a press of "I subscribed". */
  async #onPress(input: GateInput<Ctx>, ownerId: number): Promise<void> {
    const { update, proceed, ctx } = input;
    const gated = gatedUserOf(update, { kinds: ALL_KINDS, groups: true });
    if (gated === undefined) return proceed(update);
    const messages = this.#messagesTo(input, gated);
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
        if (!this.#isOpenWhenUnavailable) return messages.showUnavailable();
        return this.#letIn(input, messages, await this.#access.takeHeld(ownerId));
      case 'pass':
        return this.#letIn(input, messages, result.held);
    }
  }

  /** Replays the held update, or passes the press on. Errors of the bot's own handlers are thrown to the bot. */
  async #letIn(input: GateInput<Ctx>, messages: GateMessages, held: TelegramUpdate | undefined): Promise<void> {
    const { onPassed } = this.#options;
    await messages.showPassed({ isListRemoved: onPassed !== undefined });
    const next = (): Promise<void> => input.proceed(held ?? input.update);
    if (onPassed === undefined) await next();
    else await onPassed(input.ctx, next);
  }

  #messagesTo({ update, call, ctx }: GateInput<Ctx>, gated: GatedUser): GateMessages {
    const { texts } = this.#options;
    const report = (error: unknown): void => this.#report(error, ctx);
    return new GateMessages({ update, gated, call, prefix: this.#prefix, texts, recent: this.#recent, report });
  }

  async #isSkipped(ctx: Ctx): Promise<boolean> {
    try {
      return (await this.#options.skip?.(ctx)) === true;
    } catch (error) {
      this.#report(error, ctx);
      return false;
    }
  }

  /** A wrong token would let every user in unpaid, so the bot's owner learns of it at the start. */
  async #checkToken(): Promise<void> {
    const { client, timeoutMs = DEFAULTS.timeoutMs } = this.#options;
    try {
      await within(timeoutMs, async (signal) => client.tokens?.current({ signal }));
    } catch (error) {
      const status = statusOf(error);
      if (status === 401 || status === 403) {
        this.#report(
          new Error('Sponsorgate rejects the token: no user is checked and nothing is paid', { cause: error }),
        );
      }
    }
  }

  #reportOutage({ error }: Unavailable, isFirst: boolean, ctx: Ctx): void {
    if (error !== undefined && isFirst) this.#report(error, ctx);
  }

  #report(error: unknown, ctx?: Ctx): void {
    try {
      if (this.#options.onError !== undefined) this.#options.onError(error, ctx);
      // biome-ignore lint/suspicious/noConsole: a silent failure of the gate costs money.
      else console.error(`sponsorgate: ${error instanceof Error ? error.message : String(error)}`);
    } catch {
      // An error in the bot's onError must not stop the update.
    }
  }
}
