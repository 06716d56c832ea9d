/** A task, as far as the gate shows it. */
export interface GateSponsor {
  readonly ads_id: number;
  readonly link: string;
  readonly resource_type: string;
  readonly title: string;
}

export interface GateUser {
  user_id: number;
  chat_id?: number;
  first_name?: string;
  username?: string;
  language_code?: string;
  is_premium?: boolean;
  max_sponsors?: number;
}

interface Ending {
  readonly signal: AbortSignal;
}

/**
 * The part of `@sponsorgate/client` that the gate uses. Named here and not imported, so that the two packages can be of
 * different versions, and a client of your own (with another cache, behind a queue) fits as well.
 */
export interface GateClient {
  getSponsors(
    body: GateUser,
    options: Ending,
  ): Promise<{ readonly status: string; readonly sponsors: readonly GateSponsor[] }>;
  confirmSubscriptions(
    body: { user_id: number; ads_ids: number[] },
    options: Ending,
  ): Promise<{
    readonly grant_access: boolean;
    readonly results: readonly { readonly ads_id: number; readonly grant_access: boolean; readonly code: string }[];
  }>;
}
