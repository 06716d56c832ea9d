import type { Clock } from '../../core/clock.ts';
import type { Database, ReportDatabase } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Gate } from '../../http/index.ts';
import type { GateMessenger } from '../../modules/compat/index.ts';
import type { ContestDeps } from '../../modules/contests/index.ts';
import type { Postback, ResourceResolver } from '../../modules/orders/index.ts';
import type { PayoutDeps } from '../../modules/payouts/index.ts';
import type { QualitySettings } from '../../modules/quality/index.ts';
import type { UnknownCharge } from '../../modules/targeting/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';

/** What the console asks Telegram for an owner. The management bot asks the same. */
interface OwnerTelegram {
  /** The management bot and a link that opens it. Undefined while Telegram does not reply. */
  managementBot(): Promise<{ readonly username: string; readonly url: string } | undefined>;
  identifyBot(
    token: string,
  ): Promise<
    | { readonly kind: 'known'; readonly username: string; readonly title: string }
    | { readonly kind: 'refused' | 'unavailable' }
  >;
  /** Returns the name of the bot to add to a new channel. Undefined while Telegram does not reply. */
  botToAdd(): Promise<string | undefined>;
  /** Checks that a token belongs to a bot that can become a checker bot. */
  inspectChecker(text: string): Promise<CheckerInspection>;
  /** Checks that our bot can check the members of a chat, and that the person administers it. */
  inspectChat(reference: number | `@${string}`, personId: number): Promise<ChatInspection>;
  /** Chats into which the person added our bot. */
  listChats(personId: number): Promise<readonly { readonly chatId: number; readonly title: string }[]>;
}

export type CheckerInspection =
  | {
      readonly kind: 'usable';
      readonly checker: { readonly botId: number; readonly username: string; readonly token: string };
    }
  | { readonly kind: 'not_a_token' | 'token_refused' | 'unavailable' }
  | { readonly kind: 'management_bot' | 'customer_bot'; readonly username: string }
  | { readonly kind: 'used_elsewhere'; readonly username: string; readonly host: string | undefined };

export type ChatInspection =
  /** `link` is undefined when the chat is private and our bot may not invite. */
  | { readonly kind: 'ready'; readonly chatId: number; readonly title: string; readonly link: string | undefined }
  | { readonly kind: 'not_admin'; readonly title: string | undefined }
  | { readonly kind: 'not_yours'; readonly title: string }
  | { readonly kind: 'not_found' | 'not_a_chat' | 'unavailable' };

/** The console calls the same use cases as the HTTP API and the management bot; it has no business rules of its own. */
export interface ConsoleDeps {
  readonly db: Database;
  /** The database for statistics and charts; a read replica when there is one. */
  readonly reports: ReportDatabase;
  readonly clock: Clock;
  /** The machine's clock, so that moving the sandbox's clock by a day does not end sessions. */
  readonly sessionClock: Clock;
  readonly secrets: Secrets;
  readonly gate: Pick<Gate, 'limiter' | 'perAddress'>;
  readonly flow: Pick<TaskFlow, 'explain'>;
  readonly payouts: PayoutDeps;
  readonly contests: ContestDeps;
  readonly resolver: ResourceResolver;
  readonly postbackOf: (orderId: number) => Postback;
  readonly operatorIds: ReadonlySet<number>;
  /** Named on error pages. */
  readonly supportContact: { readonly text: string; readonly url: string } | undefined;
  readonly publisherSharePercent: number;
  /** A payout above it opens a case; 0: none does. */
  readonly payoutReviewAboveKopecks: bigint;
  /** Whether an operator moderates new orders. */
  readonly isModerated: boolean;
  readonly telegram: OwnerTelegram;
  /** Checks the Telegram tokens that owners give for gate messages. */
  readonly messenger: GateMessenger;
  /** Without the city database, a visit of a smart link does not reveal the city. */
  readonly hasCityData: boolean;
  /** The charge for a filter whose value was unknown when the task was shown. */
  readonly unknownCharge: UnknownCharge;
  /** What follows from the quality of a source. */
  readonly qualitySettings: QualitySettings;
  /** A function, because the URL is known only once the server listens. */
  readonly publicUrl: () => string;
  /** Telegram signs the Mini App's init data with this token. */
  readonly botToken: string;
  /** In a sandbox, webhooks may go to this machine, and its pages may frame the Mini App. */
  readonly isSandbox: boolean;
}
