/** A refusal in Telegram's own words; becomes `{ok: false, error_code, description, parameters?}`. */
export class BotApiError extends Error {
  readonly code: number;
  readonly parameters: { readonly retry_after?: number } | undefined;

  constructor(code: number, description: string, parameters?: { readonly retry_after?: number }) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string): BotApiError {
  return new BotApiError(400, `Bad Request: ${reason}`);
}

export function forbidden(reason: string): BotApiError {
  return new BotApiError(403, `Forbidden: ${reason}`);
}
