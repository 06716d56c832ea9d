/** Tells the client how to react to an error. */
export interface ErrorParameters {
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

/** An error with Telegram's text; becomes `{ok: false, error_code, description, parameters?}`. */
export class BotApiError extends Error {
  readonly code: number;
  readonly parameters: ErrorParameters | undefined;

  constructor(code: number, description: string, parameters?: ErrorParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string): BotApiError {
  return new BotApiError(400, `Bad Request: ${reason}`);
}

/** Telegram's error for every method but getChat on a basic group that became a supergroup. */
export function upgraded(migratedTo: number): BotApiError {
  const description = 'Bad Request: group chat was upgraded to a supergroup chat';
  return new BotApiError(400, description, { migrate_to_chat_id: migratedTo });
}

export function forbidden(reason: string): BotApiError {
  return new BotApiError(403, `Forbidden: ${reason}`);
}
