import type { FastifyPluginAsync } from 'fastify';
import type { Clock } from '../core/clock.ts';
import type { Secrets } from '../core/secrets.ts';
import type { TokenDirectory } from '../modules/bots/index.ts';
import type { MembershipUpdate, TaskFlow } from '../modules/offers/index.ts';
import type { OrderBook } from '../modules/orders/index.ts';
import type { BotApi, Intake } from '../telegram/index.ts';

/** What differs between live and sandbox: time, Telegram, and the routes that only a sandbox has. */
export interface Mode {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly botToken: string;
  apiRoot(): string;
  createIntake(parts: { api: BotApi; recordMembership(update: MembershipUpdate): Promise<void> }): Intake;
  routes(parts: {
    book: OrderBook;
    flow: TaskFlow;
    tokens: TokenDirectory;
    /** Asks the Bot API about users not looked up for long. */
    learn(signal: AbortSignal): Promise<number>;
  }): readonly FastifyPluginAsync[];
  /** How fast settlement may check; absent when it shares the one budget that Telegram allows. */
  readonly settlementChecksPerSecond: number | undefined;
  /** After the server is built and before it listens. */
  prepare(parts: { book: OrderBook }): Promise<void>;
  listensAt(url: string): void;
  /** The sandbox's demo publisher, for the start banner. */
  readonly demoToken: string | undefined;
  close(): Promise<void>;
}
