import type { Clock } from '../../core/clock.ts';
import type { Database, ReportDatabase } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { TokenCache } from '../../modules/bots/index.ts';
import type { ContestDeps } from '../../modules/contests/index.ts';
import type { Postback, ResourceResolver } from '../../modules/orders/index.ts';
import type { PayoutDeps } from '../../modules/payouts/index.ts';
import type { QualitySettings } from '../../modules/quality/index.ts';
import type { UnknownCharge } from '../../modules/targeting/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';
import type { BotApi } from '../bot-api.ts';
import type { CheckerBots } from '../checker-bots.ts';
import type { UpdatesLog } from '../handle-update.ts';

/** The dependencies of the management bot. It calls the same use cases as the HTTP API and has no rules of its own. */
export interface ManagementBotDeps {
  readonly db: Database;
  /** The database for statistics and charts; a read replica when there is one. */
  readonly reports: ReportDatabase;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: UpdatesLog;
  readonly api: BotApi;
  /** The service's own bots that check channels. */
  readonly bots: CheckerBots;
  readonly managementBotId: number;
  readonly tokens: TokenCache;
  readonly flow: TaskFlow;
  readonly payouts: PayoutDeps;
  readonly contests: ContestDeps;
  /** Whether webhooks may lead to this machine. */
  readonly allowLoopback: boolean;
  readonly resolver: ResourceResolver;
  readonly operatorIds: ReadonlySet<number>;
  /** Where people write to, as the operator has set it. */
  readonly supportContact: { readonly text: string } | undefined;
  readonly publisherSharePercent: number;
  /** A payout above it opens a case; 0: none does. */
  readonly payoutReviewAboveKopecks: Kopecks;
  /** Whether an operator approves new orders. */
  readonly isModerated: boolean;
  /** Whether the city database is installed; without it a smart link learns no city. */
  readonly hasCityData: boolean;
  /** The charge for filters whose value was unknown when a task was shown. */
  readonly unknownCharge: UnknownCharge;
  /** What follows from the quality of a source. */
  readonly qualitySettings: QualitySettings;
  /** The base URL of the API, for snippets and links. */
  readonly publicUrl: () => string;
  readonly postbackOf: (orderId: number) => Postback;
  /** Set only in the sandbox. */
  readonly sandbox:
    | {
        /** Returns the first token of a bot, which the sandbox page also knows. */
        firstToken(botId: number): string;
        deposit(deposit: { accountId: number; amountKopecks: Kopecks; key: string }): Promise<void>;
      }
    | undefined;
}
