import { type Attributes, kindOf, startStep } from '../core/tracing.ts';
import { rootCauseOf } from './errors.ts';

/** Traces the statement that `sent` settles. Parameters are never part of a span. */
export function traceStatement(text: string, sent: Promise<unknown>): void {
  const { name, attributes, isNoise } = describe(text);
  const span = isNoise ? undefined : startStep(name, { attributes, kind: 'client' });
  if (span === undefined) return;
  sent.then(
    () => span.end(),
    (error: unknown) => span.end(kindOf(rootCauseOf(error))),
  );
}

interface Description {
  readonly name: string;
  readonly attributes: Attributes;
  /** BEGIN and SET travel with the first statement and take no time of their own. */
  readonly isNoise: boolean;
}

const MAX_TEXT = 1_000;

/** By text. The texts come from the code, so the map is bounded. */
const descriptions = new Map<string, Description>();

function describe(text: string): Description {
  let description = descriptions.get(text);
  if (description === undefined) {
    const sql = text.replace(/\s+/g, ' ').trim();
    const operation = /^[A-Z]+/i.exec(sql)?.[0].toUpperCase() ?? 'SQL';
    // Our statements write keywords in capitals and names in small letters.
    const found = /\bINTO ([a-z_.]+)|\b(?:FROM|UPDATE|JOIN) ([a-z_.]+)\b(?! ?\()/.exec(sql);
    const table = found?.[1] ?? found?.[2];
    description = {
      name: table === undefined ? operation : `${operation} ${table}`,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': sql.slice(0, MAX_TEXT),
      },
      isNoise: operation === 'BEGIN' || operation === 'SET',
    };
    descriptions.set(text, description);
  }
  return description;
}
