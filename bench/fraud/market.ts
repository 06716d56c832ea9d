/** The plan of a simulated market. A generator writes it, `run-market.ts` plays it through the use cases. */

export interface MarketUser {
  readonly id: number;
  readonly firstName: string;
  /** Empty: the user has none. */
  readonly username: string;
  readonly language: string;
  readonly isPremium: boolean;
  readonly phone: Phone;
  /** Whether the user opens a smart link, so that the service sees the address and the country. */
  readonly opensLinks: boolean;
  /**
   * What the user does about the human check, in which alone the service sees the device: passes it when led to it,
   * ignores it, or passes it without being asked.
   */
  readonly check: 'passes' | 'ignores' | 'volunteers';
}

/** Where a user's account is used. Users with the same text share the device or the address. */
export interface Phone {
  readonly country: string;
  readonly device: string;
  readonly address: string;
}

/** A user opens a bot. */
export interface Visit {
  readonly at: number;
  readonly user: MarketUser;
  /** How many tasks the bot asks for. */
  readonly tasks: number;
  /** Returns how the user does a task, or undefined when the user skips it. */
  act(task: { readonly advertiser: string }): Act | undefined;
}

export interface Act {
  readonly joinSeconds: number;
  readonly confirmSeconds: number;
  /** Counted from the join; undefined: the user stays. */
  readonly leaveSeconds: number | undefined;
}

export interface PlannedBot {
  readonly name: string;
  readonly kind: string;
  readonly isDishonest: boolean;
  /** The publisher. Bots with the same owner share an account. */
  readonly owner: string;
  /** Whether rewards of this advertiser are fraud; undefined: all of a dishonest bot are. */
  readonly buysFrom?: string;
  /** Returns the visits of one step, in the order of time. Called once per step, in order. */
  visits(from: number, to: number): Visit[];
}

export interface PlannedOrder {
  readonly priceRubles: number;
  readonly dailyLimit: number;
  readonly languages?: readonly string[];
}

export interface PlannedAdvertiser {
  readonly name: string;
  readonly orders: readonly PlannedOrder[];
  /** Removes this share of counted users after some hours; undefined: an honest advertiser. */
  readonly removes?: { readonly share: number; readonly afterHours: readonly [number, number] };
}

/** A person who owns bots or orders, by name. */
export interface PlannedOwner {
  /** The destination of payouts. */
  readonly paymentAddress?: string;
}

export interface MarketPlan {
  readonly seed: number;
  readonly days: number;
  readonly daysAfter: number;
  readonly stepHours: number;
  readonly bots: readonly PlannedBot[];
  readonly advertisers: readonly PlannedAdvertiser[];
  readonly owners: ReadonlyMap<string, PlannedOwner>;
}
