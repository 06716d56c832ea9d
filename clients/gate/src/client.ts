/** The fields of a task that the gate shows. */
export interface GateSponsor {
  readonly ads_id: number;
  readonly link: string;
  readonly resource_type: string;
  readonly title: string;
}

/** The body of get-sponsors. */
export interface GateUser {
  user_id: number;
  chat_id?: number;
  first_name?: string;
  username?: string;
  language_code?: string;
  is_premium?: boolean;
  max_sponsors?: number;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

/** The part of the client that the gate uses, so that you can pass a client of your own. */
export interface GateClient {
  getSponsors(
    body: GateUser,
    options: CallOptions,
  ): Promise<{ readonly status: string; readonly sponsors: readonly GateSponsor[] }>;
  confirmSubscriptions(
    body: { user_id: number; ads_ids: number[] },
    options: CallOptions,
  ): Promise<{
    readonly grant_access: boolean;
    readonly results: readonly { readonly ads_id: number; readonly grant_access: boolean; readonly code: string }[];
  }>;
  /** With it the gate checks the token when it is created. */
  readonly tokens?: { current(options: CallOptions): Promise<unknown> } | undefined;
}
