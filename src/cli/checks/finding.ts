/** The result of one check. `warn` deserves attention; `fail` keeps the service from working. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  /** The checked part, in one or two words. */
  readonly subject: string;
  /** The result and, unless it is `ok`, what to do next. */
  readonly text: string;
}

const finding =
  (level: Finding['level']) =>
  (subject: string, text: string): Finding => ({ level, subject, text: oneLine(text) });

export const ok = finding('ok');
export const warn = finding('warn');
export const fail = finding('fail');

const MAX_LENGTH = 500;

/** Removes control characters, because parts of the text come from other servers and could manipulate the terminal. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node tried several addresses of one host name. The outer error has no message; the inner ones do.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  if (first instanceof Error) return reasonOf(first);
  return error.cause instanceof Error && error.message === 'fetch failed'
    ? reasonOf(error.cause)
    : error.message || error.name;
}

export function clockFinding(subject: string, skewMs: number, limits: { warnMs: number; failMs: number }): Finding {
  const off = Math.abs(skewMs);
  const seconds = `${(off / 1000).toFixed(1)} s ${skewMs > 0 ? 'behind' : 'ahead'}`;
  if (off < limits.warnMs) return ok(subject, 'agrees with the clock of this machine');
  const text = `the clock of this machine is ${seconds}: synchronise it (chrony, systemd-timesyncd)`;
  return (off < limits.failMs ? warn : fail)(subject, text);
}
