/** Refusals of the console itself; use cases throw an `ApiError`. */
export type RefusalReason = 'not_signed_in' | 'foreign_form' | 'not_in_app' | 'operators_only' | 'banned';

export const REFUSAL_STATUS: Readonly<Record<RefusalReason, number>> = {
  not_signed_in: 401,
  foreign_form: 403,
  not_in_app: 403,
  // Other visitors do not learn that the page exists.
  operators_only: 404,
  banned: 403,
};

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}
