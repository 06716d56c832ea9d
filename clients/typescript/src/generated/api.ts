// Written by clients/typescript/generate.ts: change the service, then run it again.

/** What each operation takes and answers. */
export interface Operations {
  /** Delete it (beta) */
  deleteLinksId: {
    path: {
      id: string | number;
    };
    answer: undefined;
  };
  /** Remove an endpoint (beta) */
  deleteWebhooksId: {
    path: {
      id: string | number;
    };
    answer: undefined;
  };
  /** Contests, your rank and the time left (beta) */
  getContests: {
    answer: {
      contests: {
        contest_id: number;
        name: string;
        /** scheduled, running, finished or cancelled. */
        status: string;
        /** `settled_revenue`: rewards settled in the period. */
        metric: string;
        starts_at: string;
        ends_at: string;
        remaining_seconds: number;
        /** By place, the first first. */
        prizes: number[];
        participants: number;
        /** Your place; none without a subscription. */
        rank: number | null;
        /** Your settled subscriptions of the period that count. */
        score: number;
        /** Their rewards in rubles: what ranks are by. */
        revenue: number;
        /** What you won; null until ranks are frozen. */
        prize: number | null;
      }[];
    };
  };
  /** Is the service alive? */
  getHealth: {
    answer: {
      status: string;
    };
  };
  /** Your links, newest first (beta) */
  getLinks: {
    query: {
      /** 1 to 100, default 20. */
      limit?: string | number | undefined;
      cursor?: string | number | undefined;
    };
    answer: {
      links: {
        link_id: number;
        code: string;
        short_url: string;
        url: string;
        name: string;
        geo: {
          /** ISO 3166-1 alpha-2, such as RU. */
          countries?: string[];
          /** In English. */
          cities?: string[];
          device_types?: ('smartphone' | 'desktop' | 'tablet')[];
          os?: ('Android' | 'iOS' | 'Windows' | 'macOS')[];
          url: string;
        }[];
        created_at: string;
      }[];
      next_cursor: string | null;
      has_more: boolean;
    };
  };
  /** One link (beta) */
  getLinksId: {
    path: {
      id: string | number;
    };
    answer: {
      link_id: number;
      code: string;
      short_url: string;
      url: string;
      name: string;
      geo: {
        /** ISO 3166-1 alpha-2, such as RU. */
        countries?: string[];
        /** In English. */
        cities?: string[];
        device_types?: ('smartphone' | 'desktop' | 'tablet')[];
        os?: ('Android' | 'iOS' | 'Windows' | 'macOS')[];
        url: string;
      }[];
      created_at: string;
    };
  };
  /** Clicks by day, country, device and system (beta) */
  getLinksIdClicks: {
    path: {
      id: string | number;
    };
    query: {
      /** How many days up to today, 1 to 90, default 30. */
      days?: string | number | undefined;
    };
    answer: {
      /** Of these days. */
      total: number;
      /** Every day, oldest first. */
      by_day: {
        day: string;
        clicks: number;
      }[];
      by_country: {
        /** null where it was not known. */
        country: string | null;
        clicks: number;
      }[];
      by_device: {
        /** null where it was not known. */
        device_type: string | null;
        clicks: number;
      }[];
      by_os: {
        /** null where it was not known. */
        os: string | null;
        clicks: number;
      }[];
    };
  };
  /** Your orders, newest first (beta) */
  getOrders: {
    query: {
      limit?: string | number | undefined;
      cursor?: string | number | undefined;
    };
    answer: {
      orders: {
        order_id: number;
        name: string;
        status: string;
        price_per_sub: number;
        charge_per_sub: number;
        subscribers: number;
        spent: number;
        /** Rubles still set aside for this order. */
        remainder: number;
        remaining_subscribers: number;
        cr_pct: number;
        created_at: string;
        /** Where and how your side confirms users. */
        postback?: {
          url: string;
          secret: string;
        };
      }[];
      next_cursor: string | null;
      has_more: boolean;
    };
  };
  /** One order: subscriptions, spending, remainder (beta) */
  getOrdersId: {
    path: {
      id: string | number;
    };
    answer: {
      order_id: number;
      name: string;
      status: string;
      price_per_sub: number;
      charge_per_sub: number;
      subscribers: number;
      spent: number;
      /** Rubles still set aside for this order. */
      remainder: number;
      remaining_subscribers: number;
      cr_pct: number;
      created_at: string;
      /** Where and how your side confirms users. */
      postback?: {
        url: string;
        secret: string;
      };
    };
  };
  /** Your payouts, newest first (beta) */
  getPayouts: {
    query: {
      /** 1 to 100, 20 by default. */
      limit?: string | number | undefined;
      /** `next_cursor` of the page before. */
      cursor?: string | number | undefined;
    };
    answer: {
      payouts: {
        payout_id: number;
        /** Rubles. */
        amount: number;
        /** manual or crypto-pay */
        method: string;
        /** requested, approved, sent, rejected or failed. */
        status: string;
        created_at: string;
        sent_at?: string;
        /** What proves the payment; present once it is sent. */
        reference?: string;
        /** Why it was rejected or failed. The money has returned. */
        reason?: string;
      }[];
      next_cursor: string | null;
      has_more: boolean;
    };
  };
  /** Figures of the whole exchange: 7 days, 30 days, all time (beta) */
  getPlatformStats: {
    answer: {
      last_7_days: {
        subscriptions: number;
        reversals: number;
        revenue: number;
        payouts: number;
        active_bots: number;
        active_orders: number;
        unique_users: number;
        turnover: number;
        platform_revenue: number;
      };
      last_30_days: {
        subscriptions: number;
        reversals: number;
        revenue: number;
        payouts: number;
        active_bots: number;
        active_orders: number;
        unique_users: number;
        turnover: number;
        platform_revenue: number;
      };
      all_time: {
        subscriptions: number;
        reversals: number;
        revenue: number;
        payouts: number;
        active_bots: number;
        active_orders: number;
        unique_users: number;
        turnover: number;
        platform_revenue: number;
      };
    };
  };
  /** Can it serve requests? Queries the database */
  getReady: {
    answer: {
      status: string;
    };
  };
  /** Figures of your bots and orders, as JSON or as an HTML table */
  getStatistic: {
    query: {
      action?: 'allbots' | 'bots' | 'allads' | 'ads' | undefined;
      bot_id?: string | number | undefined;
      order_id?: string | number | undefined;
      output_format?: 'json' | 'html' | undefined;
    };
    answer:
      | {
          bots: {
            bot_id: number;
            bot_username: string;
            is_active: boolean;
            total_subscribers: number;
            revenue: number;
          }[];
        }
      | {
          bot: string;
          subscriptions: {
            user_id: number;
            order_id: number;
            status: string;
            amount: number;
            created_at: string;
          }[];
        }
      | {
          orders: {
            order_id: number;
            name: string;
            status: string;
            price_per_sub: number;
            subscribers: number;
            cr_pct: number;
            spent: number;
          }[];
        }
      | {
          order: string;
          subscriptions: {
            user_id: number;
            order_id: number;
            status: string;
            amount: number;
            created_at: string;
          }[];
        }
      | string;
  };
  /** What the token in the request may do */
  getToken: {
    answer: {
      bot_id: number;
      bot_username: string;
      /** What the token may do beyond the task flow. */
      scopes: string[];
      created_at: string;
      /** Set once the token is being replaced. */
      expires_at: string | null;
    };
  };
  /** Your endpoints (beta) */
  getWebhooks: {
    answer: {
      webhooks: {
        webhook_id: number;
        url: string;
        events: string[];
        is_enabled: boolean;
        /** `gone`: the receiver answered 410. `failing`: it failed for 120 hours without a break. */
        disabled_reason: string | null;
        disabled_at: string | null;
        /** The first failure after the last success. */
        failing_since: string | null;
        /** Until then two secrets sign. */
        previous_secret_expires_at: string | null;
        created_at: string;
      }[];
    };
  };
  /** The deliveries with every attempt, newest first (beta) */
  getWebhooksIdDeliveries: {
    path: {
      id: string | number;
    };
    query: {
      /** 1 to 100, 20 if absent. */
      limit?: string | number | undefined;
      cursor?: string | number | undefined;
    };
    answer: {
      deliveries: {
        /** The event's id, which is the webhook-id header of its messages. */
        delivery_id: string;
        type: string;
        sequence: number;
        /** `pending`, `sending`, `delivered` or `failed`. */
        status: string;
        created_at: string;
        next_attempt_at: string | null;
        delivered_at: string | null;
        attempts: {
          attempted_at: string;
          duration_ms: number;
          status_code: number | null;
          error: string | null;
          /** How the answer began. */
          response: string | null;
        }[];
      }[];
      next_cursor: string | null;
      has_more: boolean;
    };
  };
  /** Change its URL, name or rules (beta) */
  patchLinksId: {
    path: {
      id: string | number;
    };
    body: {
      /** An http, https or tg address: where visitors go whom no rule matches. */
      url?: string | undefined;
      /** For you to tell your links apart. */
      name?: string | undefined;
      /** Rules in order: the first that matches wins. */
      geo?:
        | {
            /** ISO 3166-1 alpha-2, such as RU. */
            countries?: string[] | undefined;
            /** In English. */
            cities?: string[] | undefined;
            device_types?: ('smartphone' | 'desktop' | 'tablet')[] | undefined;
            os?: ('Android' | 'iOS' | 'Windows' | 'macOS')[] | undefined;
            /** Short for device_types with one value. */
            device?: 'smartphone' | 'desktop' | 'tablet' | undefined;
            url: string;
          }[]
        | undefined;
    };
    answer: {
      link_id: number;
      code: string;
      short_url: string;
      url: string;
      name: string;
      geo: {
        /** ISO 3166-1 alpha-2, such as RU. */
        countries?: string[];
        /** In English. */
        cities?: string[];
        device_types?: ('smartphone' | 'desktop' | 'tablet')[];
        os?: ('Android' | 'iOS' | 'Windows' | 'macOS')[];
        url: string;
      }[];
      created_at: string;
    };
  };
  /** Check the membership and credit the subscription */
  postConfirmSubscription: {
    body: {
      /** The user's Telegram id. */
      user_id: number;
      /** The task, as get-sponsors named it. */
      ads_id: number;
    };
    answer: {
      status: string;
      subscribed: boolean;
      /** Rubles. Present when `status` is `ok` and `credit_status` is not `pending`. */
      credited?: number;
      /** Rubles that will be credited if the sponsor's side agrees. Only with `pending`. */
      expected?: number;
      message: string;
      /** The reason, for programs. See the publisher guide. */
      code: string;
      /** May the user in? */
      grant_access: boolean;
      /** `paid`, `hold`, `pending`, `not_counted` or `none`. */
      credit_status: string;
    };
  };
  /** The same for several tasks at once */
  postConfirmSubscriptions: {
    body: {
      /** The user's Telegram id. */
      user_id: number;
      ads_ids: number[];
    };
    answer: {
      /** `ok` when every result is. */
      status: string;
      /** Whether every result grants access. */
      grant_access: boolean;
      results: {
        ads_id: number;
        status: string;
        subscribed: boolean;
        /** Rubles. Present when `status` is `ok` and `credit_status` is not `pending`. */
        credited?: number;
        /** Rubles that will be credited if the sponsor's side agrees. Only with `pending`. */
        expected?: number;
        message: string;
        /** The reason, for programs. See the publisher guide. */
        code: string;
        /** May the user in? */
        grant_access: boolean;
        /** `paid`, `hold`, `pending`, `not_counted` or `none`. */
        credit_status: string;
      }[];
    };
  };
  /** Why does this user get these tasks, or none? */
  postExplain: {
    body: {
      /** The user's Telegram id. */
      user_id: number;
      /** The group, when the request comes from one. */
      chat_id?: number | null | undefined;
      /** Empty: the user has none. Absent or null: not known. */
      first_name?: string | null | undefined;
      /** Without @. Empty: the user has none. Absent or null: not known. */
      username?: string | null | undefined;
      /** Absent: ru. Empty or null: not known. */
      language_code?: string | null | undefined;
      /** Absent: false. null: not known. */
      is_premium?: boolean | null | undefined;
      max_sponsors?: number | null | undefined;
      /** `subscribe` is the gate of a round; `newtask` asks for extra tasks beyond it. */
      action?: 'subscribe' | 'newtask' | null | undefined;
    };
    answer: {
      active_orders: number;
      /** Could be shown to this user now. */
      matching_orders: number;
      /** Orders not shown, by reason. Paused ones are not among the active. */
      removed: {
        paused: number;
        out_of_budget: number;
        paced: number;
        own_order: number;
        excluded_by_advertiser: number;
        excluded_by_publisher: number;
        already_counted: number;
        already_member: number;
        already_shown: number;
      };
      removed_by_filter: {
        languages: number;
        countries: number;
        cities: number;
        age: number;
        gender: number;
        account_age_years: number;
        device_types: number;
        os: number;
        premium: number;
        has_photo: number;
        real_photo: number;
        has_name: number;
        has_username: number;
        has_bio: number;
        has_audio: number;
        russian_name: number;
        cyrillic_name: number;
        rating: number;
        gifts: number;
        chat_context: number;
        fresh_days: number;
      };
      user_is_banned: boolean;
    };
  };
  /** Available and held money, and your bots */
  postGetBalance: {
    answer: {
      /** Rubles. Negative: a debt that later rewards pay first. */
      balance: number;
      /** Rewards in hold. */
      hold_balance: number;
      /** The settled part of `balance`: what a payout can be requested for, or an order paid with. */
      withdrawable: number;
      bots_info: {
        bot_id: number;
        bot_username: string;
        is_active: boolean;
      }[];
    };
  };
  /** Tasks for a user */
  postGetSponsors: {
    body: {
      /** The user's Telegram id. */
      user_id: number;
      /** The group, when the request comes from one. */
      chat_id?: number | null | undefined;
      /** Empty: the user has none. Absent or null: not known. */
      first_name?: string | null | undefined;
      /** Without @. Empty: the user has none. Absent or null: not known. */
      username?: string | null | undefined;
      /** Absent: ru. Empty or null: not known. */
      language_code?: string | null | undefined;
      /** Absent: false. null: not known. */
      is_premium?: boolean | null | undefined;
      max_sponsors?: number | null | undefined;
      /** `subscribe` is the gate of a round; `newtask` asks for extra tasks beyond it. */
      action?: 'subscribe' | 'newtask' | null | undefined;
    };
    answer: {
      /** `ok`: let the user in. `warning`: show the tasks. */
      status: string;
      sponsors: {
        ads_id: number;
        link: string;
        resource_type: string;
        title: string;
        status: string;
        /** Percent of users whom the sponsor's side approved so far. Only of tasks that it checks itself, once it has answered a few times. */
        approval_pct?: number;
      }[];
      message?: string;
    };
  };
  /** Create a smart link (beta) */
  postLinks: {
    body: {
      /** An http, https or tg address: where visitors go whom no rule matches. */
      url: string;
      /** For you to tell your links apart. */
      name?: string | undefined;
      /** Rules in order: the first that matches wins. */
      geo?:
        | {
            /** ISO 3166-1 alpha-2, such as RU. */
            countries?: string[] | undefined;
            /** In English. */
            cities?: string[] | undefined;
            device_types?: ('smartphone' | 'desktop' | 'tablet')[] | undefined;
            os?: ('Android' | 'iOS' | 'Windows' | 'macOS')[] | undefined;
            /** Short for device_types with one value. */
            device?: 'smartphone' | 'desktop' | 'tablet' | undefined;
            url: string;
          }[]
        | undefined;
    };
    answer: {
      link_id: number;
      code: string;
      short_url: string;
      url: string;
      name: string;
      geo: {
        /** ISO 3166-1 alpha-2, such as RU. */
        countries?: string[];
        /** In English. */
        cities?: string[];
        device_types?: ('smartphone' | 'desktop' | 'tablet')[];
        os?: ('Android' | 'iOS' | 'Windows' | 'macOS')[];
        url: string;
      }[];
      created_at: string;
    };
  };
  /** Create an order, paid from your balance (beta) */
  postOrders: {
    body: {
      name?: string | undefined;
      link: string;
      resource_type: 'channel' | 'bot';
      title: string;
      /** Rubles, before coefficients. */
      price_per_sub: number;
      quantity: number;
      /** Default 24; 0 pays at once. */
      hold_hours?: number | undefined;
      /** Whether a reversal gives the money and the slot back. */
      refund?: boolean | undefined;
      daily_limit?: number | undefined;
      /** For a channel behind an invite link. */
      chat_id?: number | undefined;
      /** For a bot: lets us check its users. Without it your side confirms them by postback. */
      bot_token?: string | undefined;
    };
    answer: {
      order_id: number;
      name: string;
      status: string;
      price_per_sub: number;
      charge_per_sub: number;
      subscribers: number;
      spent: number;
      /** Rubles still set aside for this order. */
      remainder: number;
      remaining_subscribers: number;
      cr_pct: number;
      created_at: string;
      /** Where and how your side confirms users. */
      postback?: {
        url: string;
        secret: string;
      };
    };
  };
  /** End it and refund the rest of the money (beta) */
  postOrdersIdCancel: {
    path: {
      id: string | number;
    };
    answer: {
      order_id: number;
      name: string;
      status: string;
      price_per_sub: number;
      charge_per_sub: number;
      subscribers: number;
      spent: number;
      /** Rubles still set aside for this order. */
      remainder: number;
      remaining_subscribers: number;
      cr_pct: number;
      created_at: string;
      /** Where and how your side confirms users. */
      postback?: {
        url: string;
        secret: string;
      };
    };
  };
  /** Stop showing it; open tasks are still paid (beta) */
  postOrdersIdPause: {
    path: {
      id: string | number;
    };
    answer: {
      order_id: number;
      name: string;
      status: string;
      price_per_sub: number;
      charge_per_sub: number;
      subscribers: number;
      spent: number;
      /** Rubles still set aside for this order. */
      remainder: number;
      remaining_subscribers: number;
      cr_pct: number;
      created_at: string;
      /** Where and how your side confirms users. */
      postback?: {
        url: string;
        secret: string;
      };
    };
  };
  /** Show it again (beta) */
  postOrdersIdResume: {
    path: {
      id: string | number;
    };
    answer: {
      order_id: number;
      name: string;
      status: string;
      price_per_sub: number;
      charge_per_sub: number;
      subscribers: number;
      spent: number;
      /** Rubles still set aside for this order. */
      remainder: number;
      remaining_subscribers: number;
      cr_pct: number;
      created_at: string;
      /** Where and how your side confirms users. */
      postback?: {
        url: string;
        secret: string;
      };
    };
  };
  /** Buy more subscriptions for it (beta) */
  postOrdersIdTopUp: {
    path: {
      id: string | number;
    };
    body: {
      quantity: number;
    };
    answer: {
      order_id: number;
      name: string;
      status: string;
      price_per_sub: number;
      charge_per_sub: number;
      subscribers: number;
      spent: number;
      /** Rubles still set aside for this order. */
      remainder: number;
      remaining_subscribers: number;
      cr_pct: number;
      created_at: string;
      /** Where and how your side confirms users. */
      postback?: {
        url: string;
        secret: string;
      };
    };
  };
  /** The advertiser's side confirms or rejects a user (signed, no token) */
  postPostback: {
    body: {
      /** What our link carried as `start`. */
      click_id: string;
      status: 'approved' | 'rejected';
      /** Hex HMAC-SHA256 of `<click_id>:<status>` under the secret of the order. */
      signature: string;
    };
    answer: {
      status: string;
    };
  };
  /** Create a new token; the old one keeps working for a while */
  postTokenRotate: {
    body: {
      /** How long the old token goes on working. Default 24. */
      grace_hours?: number | undefined;
    };
    answer: {
      /** The new token, shown only this once. */
      api_token: string;
      old_token_valid_until: string;
    };
  };
  /** Subscribe a URL to events (beta) */
  postWebhooks: {
    body: {
      /** Where the events are posted to: http or https. */
      url: string;
      events: (
        | 'subscription.confirmed'
        | 'subscription.reversed'
        | 'subscription.rejected'
        | 'contest.completed'
        | 'payout.sent'
        | 'order.completed'
      )[];
    };
    answer: {
      webhook_id: number;
      url: string;
      events: string[];
      is_enabled: boolean;
      /** `gone`: the receiver answered 410. `failing`: it failed for 120 hours without a break. */
      disabled_reason: string | null;
      disabled_at: string | null;
      /** The first failure after the last success. */
      failing_since: string | null;
      /** Until then two secrets sign. */
      previous_secret_expires_at: string | null;
      created_at: string;
      /** Shown here and never again. */
      secret: string;
    };
  };
  /** Send to a disabled endpoint again (beta) */
  postWebhooksIdEnable: {
    path: {
      id: string | number;
    };
    answer: {
      webhook_id: number;
      url: string;
      events: string[];
      is_enabled: boolean;
      /** `gone`: the receiver answered 410. `failing`: it failed for 120 hours without a break. */
      disabled_reason: string | null;
      disabled_at: string | null;
      /** The first failure after the last success. */
      failing_since: string | null;
      /** Until then two secrets sign. */
      previous_secret_expires_at: string | null;
      created_at: string;
    };
  };
  /** Send one delivery, or all since a time, again (beta) */
  postWebhooksIdReplay: {
    path: {
      id: string | number;
    };
    body: {
      delivery_id?: string | undefined;
      /** ISO 8601 with offset. */
      since?: string | undefined;
    };
    answer: {
      replayed: number;
    };
  };
  /** Create a new secret; for a day both sign (beta) */
  postWebhooksIdRotateSecret: {
    path: {
      id: string | number;
    };
    answer: {
      webhook_id: number;
      url: string;
      events: string[];
      is_enabled: boolean;
      /** `gone`: the receiver answered 410. `failing`: it failed for 120 hours without a break. */
      disabled_reason: string | null;
      disabled_at: string | null;
      /** The first failure after the last success. */
      failing_since: string | null;
      /** Until then two secrets sign. */
      previous_secret_expires_at: string | null;
      created_at: string;
      /** Shown here and never again. */
      secret: string;
    };
  };
  /** Send a test event (beta) */
  postWebhooksIdTest: {
    path: {
      id: string | number;
    };
    answer: {
      delivery_id: string;
    };
  };
}

export type OperationId = keyof Operations;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Where the token goes. */
  readonly auth: 'header' | 'query' | 'none';
  /** Whether a repeat with the same Idempotency-Key is answered like the first. */
  readonly takesKey?: true;
}

export const ROUTES: Readonly<Record<OperationId, Route>> = {
  deleteLinksId: { method: 'DELETE', path: '/api/v1/links/{id}', auth: 'header' },
  deleteWebhooksId: { method: 'DELETE', path: '/api/v1/webhooks/{id}', auth: 'header' },
  getContests: { method: 'GET', path: '/api/v1/contests', auth: 'header' },
  getHealth: { method: 'GET', path: '/api/v1/health', auth: 'none' },
  getLinks: { method: 'GET', path: '/api/v1/links', auth: 'header' },
  getLinksId: { method: 'GET', path: '/api/v1/links/{id}', auth: 'header' },
  getLinksIdClicks: { method: 'GET', path: '/api/v1/links/{id}/clicks', auth: 'header' },
  getOrders: { method: 'GET', path: '/api/v1/orders', auth: 'header' },
  getOrdersId: { method: 'GET', path: '/api/v1/orders/{id}', auth: 'header' },
  getPayouts: { method: 'GET', path: '/api/v1/payouts', auth: 'header' },
  getPlatformStats: { method: 'GET', path: '/api/v1/platform-stats', auth: 'header' },
  getReady: { method: 'GET', path: '/api/v1/ready', auth: 'none' },
  getStatistic: { method: 'GET', path: '/statistic', auth: 'query' },
  getToken: { method: 'GET', path: '/api/v1/token', auth: 'header' },
  getWebhooks: { method: 'GET', path: '/api/v1/webhooks', auth: 'header' },
  getWebhooksIdDeliveries: { method: 'GET', path: '/api/v1/webhooks/{id}/deliveries', auth: 'header' },
  patchLinksId: { method: 'PATCH', path: '/api/v1/links/{id}', auth: 'header' },
  postConfirmSubscription: { method: 'POST', path: '/api/v1/confirm-subscription', auth: 'header' },
  postConfirmSubscriptions: { method: 'POST', path: '/api/v1/confirm-subscriptions', auth: 'header' },
  postExplain: { method: 'POST', path: '/api/v1/explain', auth: 'header' },
  postGetBalance: { method: 'POST', path: '/api/v1/get-balance', auth: 'header' },
  postGetSponsors: { method: 'POST', path: '/api/v1/get-sponsors', auth: 'header' },
  postLinks: { method: 'POST', path: '/api/v1/links', auth: 'header', takesKey: true },
  postOrders: { method: 'POST', path: '/api/v1/orders', auth: 'header', takesKey: true },
  postOrdersIdCancel: { method: 'POST', path: '/api/v1/orders/{id}/cancel', auth: 'header' },
  postOrdersIdPause: { method: 'POST', path: '/api/v1/orders/{id}/pause', auth: 'header' },
  postOrdersIdResume: { method: 'POST', path: '/api/v1/orders/{id}/resume', auth: 'header' },
  postOrdersIdTopUp: { method: 'POST', path: '/api/v1/orders/{id}/top-up', auth: 'header', takesKey: true },
  postPostback: { method: 'POST', path: '/api/v1/postback', auth: 'none' },
  postTokenRotate: { method: 'POST', path: '/api/v1/token/rotate', auth: 'header' },
  postWebhooks: { method: 'POST', path: '/api/v1/webhooks', auth: 'header' },
  postWebhooksIdEnable: { method: 'POST', path: '/api/v1/webhooks/{id}/enable', auth: 'header' },
  postWebhooksIdReplay: { method: 'POST', path: '/api/v1/webhooks/{id}/replay', auth: 'header' },
  postWebhooksIdRotateSecret: { method: 'POST', path: '/api/v1/webhooks/{id}/rotate-secret', auth: 'header' },
  postWebhooksIdTest: { method: 'POST', path: '/api/v1/webhooks/{id}/test', auth: 'header' },
};

/** Why the service refuses; others may be added. */
export type ErrorCode =
  | 'malformed_request'
  | 'unsupported_content_type'
  | 'body_too_large'
  | 'invalid_token'
  | 'invalid_init_data'
  | 'route_not_found'
  | 'bot_not_found'
  | 'order_not_found'
  | 'account_not_found'
  | 'chat_not_found'
  | 'button_not_found'
  | 'link_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'validation_failed'
  | 'insufficient_funds'
  | 'quantity_too_large'
  | 'conflict'
  | 'webhook_disabled'
  | 'too_many_webhooks'
  | 'idempotency_mismatch'
  | 'filters_not_here'
  | 'resource_refused'
  | 'wrong_status'
  | 'request_in_flight'
  | 'telegram_unavailable'
  | 'wrong_host'
  | 'database_unavailable'
  | 'too_many_requests'
  | 'internal_error';
