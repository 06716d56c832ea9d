import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { TokenCache } from '../../modules/bots/index.ts';
import type { ContestDeps } from '../../modules/contests/index.ts';
import type { Postback, ResourceResolver } from '../../modules/orders/index.ts';
import type { PayoutDeps } from '../../modules/payouts/index.ts';
import type { UnknownCharge } from '../../modules/targeting/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';
import type { BotApi } from '../bot-api.ts';
import type { UpdatesLog } from '../handle-update.ts';

/** What the management bot works with: the same use cases as the HTTP API, and no rules of its own. */
export interface ManagementBotDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: UpdatesLog;
  readonly api: BotApi;
  readonly tokens: TokenCache;
  readonly flow: TaskFlow;
  readonly payouts: PayoutDeps;
  readonly contests: ContestDeps;
  readonly resolver: ResourceResolver;
  readonly operatorIds: ReadonlySet<number>;
  readonly publisherSharePercent: number;
  /** Whether an operator looks at new orders first. */
  readonly isModerated: boolean;
  /** Whether the database of cities is installed; without it a visit of a smart link tells no city. */
  readonly hasCityData: boolean;
  /** What is charged for filters whose value was not known when a task was shown. */
  readonly unknownCharge: UnknownCharge;
  /** Where the API is reached, for snippets and links. */
  readonly publicUrl: () => string;
  readonly postbackOf: (orderId: number) => Postback;
  /** Only in a sandbox, where money is play money and tokens are known to the sandbox's page. */
  readonly sandbox:
    | {
        /** The token that a bot gets first. */
        firstToken(botId: number): string;
        deposit(deposit: { accountId: number; amountKopecks: Kopecks; key: string }): Promise<void>;
      }
    | undefined;
}
