import assert from 'node:assert/strict';
import type { Outcome } from './terms.ts';

export interface ConfirmBody {
  readonly status: string;
  readonly subscribed: boolean;
  readonly credited: number | undefined;
  readonly credit_status: string;
  readonly grant_access: boolean;
  readonly outcome: string;
}

const CODES: Readonly<Record<Outcome, string>> = {
  counted: 'counted',
  not_counted: 'already_counted',
  order_full: 'order_full',
  not_subscribed: 'not_subscribed',
  not_shown: 'not_shown',
  no_such_order: 'order_not_found',
};

/** Returns the response body that the decisions require for an outcome. */
export function bodyOf(outcome: Outcome, rewardKopecks: number, isInHold: boolean): ConfirmBody {
  const rest = { outcome: CODES[outcome] };
  if (outcome === 'counted') {
    const credit_status = isInHold ? 'hold' : 'paid';
    return {
      status: 'ok',
      subscribed: true,
      credited: rewardKopecks / 100,
      credit_status,
      grant_access: true,
      ...rest,
    };
  }
  if (outcome === 'not_counted' || outcome === 'order_full') {
    return { status: 'ok', subscribed: true, credited: 0, credit_status: 'not_counted', grant_access: true, ...rest };
  }
  const denied = { status: 'warning', subscribed: false, credited: undefined, grant_access: false };
  return { ...denied, credit_status: 'none', ...rest };
}

/** Reads the fields of a confirm response that the decisions specify. */
export function readConfirm(body: Record<string, unknown>): ConfirmBody {
  const { status, subscribed, credited, credit_status, grant_access, code, message } = body;
  assert.equal(code === 'not_shown', message === 'Sponsor was not shown');
  return { status, subscribed, credited, credit_status, grant_access, outcome: code } as ConfirmBody;
}
