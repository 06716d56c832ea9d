import { type Clock, formatTimestamp, SECOND_MS, systemClock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import type { Secrets } from '../../core/secrets.ts';
import { listBots } from '../../modules/bots/index.ts';
import { latestTransfers, readPlatformBalance } from '../../modules/ledger/index.ts';
import { listUserTasks } from '../../modules/tasks/index.ts';
import { listEndpoints } from '../../modules/webhooks/index.ts';
import { describeAccounts, describeOrders } from '../describe-state.ts';
import { listFaults } from '../telegram/faults-store.ts';
import type { Emulator } from '../telegram/index.ts';
import { listAdministered } from '../telegram/members-store.ts';
import { listPersons, listPhoneChats } from '../telegram/phone-store.ts';
import { createWebhookReader } from './received-webhooks.ts';
import type { RequestLog } from './request-log.ts';

/** The person whose phone the page shows, and the chat that is open on it. */
export interface PhoneView {
  readonly userId: number;
  readonly bot: string | undefined;
}

export interface LivePageDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly emulator: Emulator;
  readonly requests: RequestLog;
  readonly managementBot: string;
  readonly demoBot: string;
  readonly demoToken: string;
  readonly operatorIds: readonly number[];
  readonly publisherSharePercent: number;
  /** The address of the webhook catcher, as the service reaches it. */
  readonly inboxUrl: () => string;
}

/** A person reads the page, so it shows few rows; /sandbox/state returns more. */
const SHOWN = 40;
const SHOWN_REQUESTS = 60;
/** The page searches these. */
const SHOWN_ORDERS = 300;

/** One part of the page. The stream sends it again when it changed. */
export type Section = readonly [name: 'exchange' | 'ledger' | 'webhooks' | 'phone', read: () => Promise<unknown>];

export type LiveSections = ReturnType<typeof createLiveSections>;

export function createLiveSections(deps: LivePageDeps) {
  const { db, clock, emulator } = deps;
  const readReceived = createWebhookReader(deps);

  async function exchange() {
    const [accounts, bots, orders, persons, faults, serviceKopecks] = await Promise.all([
      describeAccounts(db, SHOWN),
      listBots(db, SHOWN),
      describeOrders(db, SHOWN_ORDERS),
      listPersons(db),
      listFaults(db),
      readPlatformBalance(db),
    ]);
    const publishers = new Set(bots.map((bot) => bot.accountId));
    const advertisers = new Set(orders.map((order) => order.account_id));
    return {
      // The time would differ at every read; the offset changes only when the clock is moved.
      clock_ahead_seconds: Math.round((clock.now().getTime() - systemClock.now().getTime()) / SECOND_MS),
      management_bot: deps.managementBot,
      demo_bot: deps.demoBot,
      demo_account_id: bots.find((bot) => bot.username === deps.demoBot)?.accountId ?? null,
      demo_token: deps.demoToken,
      inbox_url: deps.inboxUrl(),
      publisher_share_percent: deps.publisherSharePercent,
      service_balance: toRubles(serviceKopecks),
      operator_ids: deps.operatorIds,
      first_call: deps.requests.firstId(),
      accounts: accounts.map((account) => ({
        ...account,
        is_publisher: publishers.has(account.account_id),
        is_advertiser: advertisers.has(account.account_id),
      })),
      orders,
      persons,
      faults: faults.map(({ mode, method, chatId, counted }) => ({ mode, method, chat_id: chatId, counted })),
    };
  }

  async function webhooks() {
    const demo = (await listBots(db, SHOWN)).find((bot) => bot.username === deps.demoBot);
    const subscribed = demo === undefined ? [] : await listEndpoints({ ...deps, allowLoopback: true }, demo.accountId);
    return {
      is_subscribed: subscribed.some((webhook) => webhook.isEnabled && webhook.url.includes('/sandbox/inbox/')),
      caught: await readReceived(),
    };
  }

  /** The latest transfers, newest first. */
  async function ledger() {
    const transfers = await latestTransfers(db, SHOWN);
    return transfers.map((transfer) => ({
      id: transfer.id,
      at: formatTimestamp(transfer.createdAt),
      amount: toRubles(transfer.amountKopecks),
      from: { kind: transfer.from.kind, owner_id: transfer.from.ownerId },
      to: { kind: transfer.to.kind, owner_id: transfer.to.ownerId },
      key: transfer.key,
      kind: transfer.kind,
      user_id: transfer.userId,
    }));
  }

  async function phone({ userId, bot }: PhoneView) {
    const [chats, own, tasks, conversation] = await Promise.all([
      listPhoneChats(db, userId),
      listAdministered(db, userId, SHOWN),
      listUserTasks(db, userId, SHOWN),
      bot === undefined ? undefined : emulator.messagesSeenBy(userId, bot),
    ]);
    return {
      user_id: userId,
      chats,
      own_chats: own.map(({ id, type, title }) => ({ chat_id: id, type, title })),
      subscriptions: tasks.map((task) => ({
        order_id: task.orderId,
        state: task.state,
        reward: toRubles(task.rewardKopecks),
        window_ends_at: task.windowEndsAt === null ? null : formatTimestamp(task.windowEndsAt),
        is_kept: task.isKept,
      })),
      open: conversation === undefined ? null : { bot, ...conversation },
    };
  }

  return {
    of: (view: PhoneView): readonly Section[] => [
      ['phone', () => phone(view)],
      ['exchange', exchange],
      ['ledger', ledger],
      ['webhooks', webhooks],
    ],
    requestsSince: (id: number) => deps.requests.since(id, SHOWN_REQUESTS),
  };
}
