import type { FastifyPluginAsync } from 'fastify';
import type { Clock } from '../core/clock.ts';
import type { Secrets } from '../core/secrets.ts';
import type { PayloadWatcher } from '../http/index.ts';
import type { TaskFlow } from '../modules/tasks/index.ts';
import type { Intake, ManagementBotDeps, ServiceBot } from '../telegram/index.ts';

/** What the levers of a sandbox reach into. */
interface Reachable {
  readonly flow: TaskFlow;
  /** Does everything that is due by the clock as it is now. */
  runDueWork(): Promise<void>;
}

/** What differs between live and sandbox: time, Telegram, and the routes that only a sandbox has. */
export interface Mode {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly botToken: string;
  apiRoot(): string;
  createIntake(parts: { bot: ServiceBot }): Intake;
  /** What the management bot can do in a sandbox only. */
  readonly sandbox: ManagementBotDeps['sandbox'];
  routes(parts: Reachable): readonly FastifyPluginAsync[];
  /** Sees every answer, so that the sandbox's page can show the requests to the API. */
  readonly onPayload?: PayloadWatcher;
  /** How fast settlement may check; absent when it shares the one budget that Telegram allows. */
  readonly settlementChecksPerSecond: number | undefined;
  /** Calls back when an emulated Telegram was told to behave again: what it asked us to wait for is over then. */
  onFaultsCleared?(listener: () => void): void;
  /** After the server is built and before it listens. */
  prepare(): Promise<void>;
  /** Whether webhooks may go to this very machine. */
  readonly allowsLoopback: boolean;
  listensAt(url: string): void;
  /** The sandbox's demo publisher, for the start banner. */
  readonly demoToken: string | undefined;
  close(): Promise<void>;
}
