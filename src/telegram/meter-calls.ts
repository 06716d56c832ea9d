import type { Transformer } from 'grammy';

/** How a call ended; the failures are those of `failureOf`. */
type CallOutcome = 'ok' | 'refused' | 'flood' | 'unreachable';

/** Receives every call to the Bot API, for the metrics. */
export type CallObserver = (method: string, outcome: CallOutcome, milliseconds: number) => void;

/** Reports every call of grammY with its outcome and duration. */
export const meterCalls =
  (onCall: CallObserver): Transformer =>
  async (call, method, payload, signal) => {
    const begin = performance.now();
    let outcome: CallOutcome = 'unreachable';
    try {
      const answer = await call(method, payload, signal);
      outcome = answer.ok ? 'ok' : refusal(answer.error_code);
      return answer;
    } finally {
      onCall(method, outcome, performance.now() - begin);
    }
  };

function refusal(errorCode: number): CallOutcome {
  if (errorCode === 429) return 'flood';
  return errorCode >= 500 ? 'unreachable' : 'refused';
}
