import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../core/clock.ts';
import type { Secrets } from '../core/secrets.ts';
import type { PayloadWatcher } from '../http/index.ts';
import type { TaskFlow } from '../modules/tasks/index.ts';
import type { CheckerIntake, Intake, ManagementBotDeps, ServiceBot } from '../telegram/index.ts';

/** The parts of the service that the sandbox's control endpoints use. */
interface Reachable {
  readonly flow: TaskFlow;
  /** Runs every job once, for all work that is due by the current clock. */
  runDueWork(): Promise<void>;
}

/** The differences between live mode and sandbox mode: the clock, Telegram, and the routes of the sandbox. */
export interface Mode {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly botToken: string;
  /** The link that opens our Mini App in Telegram; absent: no user is led to the human check. */
  readonly miniAppLink: string | undefined;
  apiRoot(): string;
  createIntake(parts: { bot: ServiceBot; checkers: CheckerIntake }): Intake;
  /** Actions of the management bot that exist only in a sandbox. */
  readonly sandbox: ManagementBotDeps['sandbox'];
  routes(parts: Reachable): readonly FastifyPluginAsync[];
  /** Called for every response, so that the sandbox's page can show the requests to the API. */
  readonly onPayload?: PayloadWatcher;
  /** The rate of membership checks by jobs; absent when jobs share the budget of requests. */
  readonly settlementChecksPerSecond: number | undefined;
  /** Calls the listener when a tester clears the faults of the emulated Telegram, because its flood waits end then. */
  onFaultsCleared?(listener: () => void): void;
  /** Called after the server is built and before it listens. */
  prepare(): Promise<void>;
  /** Whether webhook endpoints on this machine are allowed. */
  readonly allowsLoopback: boolean;
  listensAt(url: string): void;
  /** The API token of the sandbox's demo publisher, for the start banner. */
  readonly demoToken: string | undefined;
  close(): Promise<void>;
}

/** During a rolling upgrade an old process may start on the schema of the new version. It must not stay like that. */
export function warnAboutNewer(log: Logger, { newer }: { readonly newer: readonly string[] }): void {
  if (newer.length === 0) return;
  log.warn({ migrations: newer }, 'the database is newer than this version of the service: upgrade this process too');
}
