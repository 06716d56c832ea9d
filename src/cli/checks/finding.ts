/** What one check found: in order; worth a look; or something that keeps the service from doing its work. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was looked at, in one word or two. */
  readonly subject: string;
  /** What was seen and, unless it is in order, what to do next. */
  readonly text: string;
}

const finding =
  (level: Finding['level']) =>
  (subject: string, text: string): Finding => ({ level, subject, text: oneLine(text) });

export const ok = finding('ok');
export const warn = finding('warn');
export const fail = finding('fail');

const MAX_LENGTH = 500;

/** Parts of it come from servers of others: nothing in it may start a new line or move the cursor. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses of one name were tried; the error over them says nothing by itself.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  if (first instanceof Error) return reasonOf(first);
  return error.cause instanceof Error && error.message === 'fetch failed'
    ? reasonOf(error.cause)
    : error.message || error.name;
}

/** A difference of clocks, as a finding. */
export function clockFinding(subject: string, skewMs: number, limits: { warnMs: number; failMs: number }): Finding {
  const off = Math.abs(skewMs);
  const seconds = `${(off / 1000).toFixed(1)} s ${skewMs > 0 ? 'behind' : 'ahead'}`;
  if (off < limits.warnMs) return ok(subject, 'agrees with the clock of this machine');
  const text = `the clock of this machine is ${seconds}: synchronise it (chrony, systemd-timesyncd)`;
  return (off < limits.failMs ? warn : fail)(subject, text);
}
