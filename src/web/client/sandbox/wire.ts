/** The sections that `/sandbox/watch` sends. The server builds them in src/sandbox/page/live-sections.ts. */
export interface Person {
  readonly user_id: number;
  readonly first_name: string;
  readonly username: string | null;
  readonly language_code: string | null;
  readonly is_premium: boolean;
}

export interface Account {
  readonly account_id: number;
  readonly user_id: number;
  readonly name: string;
  readonly balance: number;
  readonly hold_balance: number;
  readonly is_publisher: boolean;
  readonly is_advertiser: boolean;
}

export interface Order {
  readonly order_id: number;
  readonly account_id: number;
  readonly chat_id: number;
  readonly name: string;
  readonly status: string;
  readonly resource_type: string;
  readonly price_per_sub: number;
  readonly charge_per_sub: number;
  readonly reward_per_sub: number;
  readonly quantity: number;
  readonly subscribers: number;
  readonly reserved: number;
  readonly escrow: number;
}

export type FaultMode = 'down' | 'too_many_requests' | 'slow' | 'not_admin' | 'flood_limits';

export interface Fault {
  readonly mode: FaultMode;
  readonly method: string | null;
  readonly chat_id: string | null;
  readonly counted: boolean;
}

export interface Exchange {
  readonly clock_ahead_seconds: number;
  readonly management_bot: string;
  readonly demo_bot: string;
  readonly demo_account_id: number | null;
  readonly demo_token: string;
  readonly inbox_url: string;
  readonly publisher_share_percent: number;
  readonly service_balance: number;
  readonly operator_ids: readonly number[];
  /** The id of the oldest request to show. */
  readonly first_call: number;
  readonly accounts: readonly Account[];
  readonly orders: readonly Order[];
  readonly persons: readonly Person[];
  readonly faults: readonly Fault[];
}

export interface LedgerAccount {
  readonly kind: 'available' | 'hold' | 'escrow' | 'payout' | 'platform' | 'external';
  readonly owner_id: number;
}

export type TransferKind =
  | 'deposit'
  | 'order_funded'
  | 'order_topped_up'
  | 'order_refunded'
  | 'reward_held'
  | 'reward_paid'
  | 'reward_released'
  | 'reward_reversed'
  | 'margin_charged'
  | 'margin_returned'
  | 'payout_requested'
  | 'payout_sent'
  | 'payout_returned'
  | 'contest_prize'
  | 'debited';

export interface Transfer {
  readonly id: number;
  readonly at: string;
  readonly amount: number;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly key: string;
  readonly kind: TransferKind;
  /** The user of the task that the transfer was created for. */
  readonly user_id: number | null;
}

export interface Call {
  readonly id: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly request: string | null;
  readonly response: string | null;
}

export interface CaughtWebhook {
  readonly id: number;
  readonly name: string;
  readonly at: string;
  readonly type: string | null;
  readonly signature: 'valid' | 'invalid' | 'unknown';
  readonly body: string;
}

export interface Webhooks {
  readonly is_subscribed: boolean;
  readonly caught: readonly CaughtWebhook[];
}

export interface Chat {
  readonly chat_id: number;
  readonly type: 'channel' | 'supergroup' | 'bot';
  readonly title: string;
  readonly username: string | null;
  readonly is_member: boolean;
  readonly is_blocked: boolean;
  readonly members: number;
  readonly is_service: boolean;
  readonly last: { readonly text: string; readonly from_person: boolean; readonly date: number } | null;
}

export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
}

export interface Button {
  readonly text: string;
  readonly callback_data?: string;
  readonly url?: string;
  readonly web_app?: { readonly url: string };
  readonly copy_text?: { readonly text: string };
}

export interface Message {
  readonly message_id: number;
  readonly from: 'person' | 'bot';
  readonly date: number;
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly keyboard: readonly (readonly Button[])[];
  readonly photo?: true;
  readonly picture?: string;
}

/** A button below the input field. A button that requests a chat lists the suitable chats. */
export interface ReplyButton {
  readonly text: string;
  readonly chats?: readonly { readonly chat_id: number; readonly title: string }[];
}

export interface Conversation {
  readonly messages: readonly Message[];
  readonly reply_keyboard: readonly (readonly ReplyButton[])[];
  readonly notice: { readonly text: string; readonly show_alert: boolean } | null;
  readonly is_waiting: boolean;
}

/** A task of the person that was counted or reversed. */
export interface Subscription {
  readonly order_id: number;
  readonly state: 'held' | 'paid' | 'settled' | 'reversed';
  readonly reward: number;
  /** Until then a leave reverses the reward. */
  readonly window_ends_at: string | null;
  readonly is_kept: boolean;
}

export interface OwnChat {
  readonly chat_id: number;
  readonly type: Chat['type'] | 'group';
  readonly title: string;
}

export interface Phone {
  readonly user_id: number;
  readonly chats: readonly Chat[];
  /** The chats that the person administers. */
  readonly own_chats: readonly OwnChat[];
  readonly subscriptions: readonly Subscription[];
  readonly open: (Conversation & { readonly bot: string }) | null;
}
