import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Gate } from '../../http/index.ts';
import type { ContestDeps } from '../../modules/contests/index.ts';
import type { Postback, ResourceResolver } from '../../modules/orders/index.ts';
import type { PayoutDeps } from '../../modules/payouts/index.ts';
import type { UnknownCharge } from '../../modules/targeting/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';

/** What the console works with: the same use cases as the HTTP API and the management bot, and no rules of its own. */
export interface ConsoleDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** The machine's. A sandbox whose clock is moved by a day does not sign anybody out. */
  readonly sessionClock: Clock;
  readonly secrets: Secrets;
  readonly gate: Pick<Gate, 'limiter' | 'perAddress'>;
  readonly flow: Pick<TaskFlow, 'explain'>;
  readonly payouts: PayoutDeps;
  readonly contests: ContestDeps;
  readonly resolver: ResourceResolver;
  readonly postbackOf: (orderId: number) => Postback;
  readonly operatorIds: ReadonlySet<number>;
  /** Whether the database of cities is installed; without it a visit of a smart link tells no city. */
  readonly hasCityData: boolean;
  /** What is charged for filters whose value was not known when a task was shown. */
  readonly unknownCharge: UnknownCharge;
  /** Where people reach us; known only once the server listens. */
  readonly publicUrl: () => string;
  /** Telegram signs the Mini App's init data with it. */
  readonly botToken: string;
  /** Whether webhooks may go to this very machine, and this very machine's pages may frame the Mini App. */
  readonly isSandbox: boolean;
}
