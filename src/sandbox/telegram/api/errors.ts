/** What a client can do about a refusal. */
export interface RefusalParameters {
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

/** A refusal in Telegram's own words; becomes `{ok: false, error_code, description, parameters?}`. */
export class BotApiError extends Error {
  readonly code: number;
  readonly parameters: RefusalParameters | undefined;

  constructor(code: number, description: string, parameters?: RefusalParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string): BotApiError {
  return new BotApiError(400, `Bad Request: ${reason}`);
}

/** A basic group that has become a supergroup answers to nothing but getChat. */
export function upgraded(migratedTo: number): BotApiError {
  const description = 'Bad Request: group chat was upgraded to a supergroup chat';
  return new BotApiError(400, description, { migrate_to_chat_id: migratedTo });
}

export function forbidden(reason: string): BotApiError {
  return new BotApiError(403, `Forbidden: ${reason}`);
}
