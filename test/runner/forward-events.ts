/** A reporter for Node's test runner. It sends each result to our runner, which prints the results of all lanes. */
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { FromLane } from './messages.ts';

export default async function* forwardEvents(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const message = messageOf(event);
    if (message !== undefined) process.send?.(message);
  }
  yield ''; // our runner prints the results
}

function messageOf(event: TestEvent): FromLane | undefined {
  if (event.type === 'test:diagnostic') {
    // Node reports this failure at the end of the process, as a diagnostic message.
    const isLate = event.data.message.includes('asynchronous activity after the test ended');
    return isLate ? { kind: 'warned', text: event.data.message } : undefined;
  }
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined;
  const { name, nesting, file, line, details, skip, todo } = event.data;
  const isSkipped = (skip ?? todo ?? false) !== false;
  return {
    kind: 'test-ended',
    name,
    nesting,
    isSuite: details.type === 'suite',
    outcome: event.type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed',
    milliseconds: details.duration_ms,
    place: `${file ?? ''}:${line ?? 0}`,
    ...(event.type === 'test:fail' ? { error: describeError(event.data.details.error) } : {}),
  };
}

/** Returns the error that the test threw. Node's wrapper around it adds no information. */
function describeError({ cause, message }: Error): string {
  if (cause === undefined) return message;
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 6 });
}
