/** Reasons of the console's own for saying no, beside those of the use cases. */
export type RefusalReason = 'not_signed_in' | 'foreign_form' | 'not_in_app' | 'operators_only';

export const REFUSAL_STATUS: Readonly<Record<RefusalReason, number>> = {
  not_signed_in: 401,
  foreign_form: 403,
  not_in_app: 403,
  // For everybody else there is no such page.
  operators_only: 404,
};

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}
