/** A node of the syntax tree. Its offsets count UTF-16 units. */
export interface Node {
  readonly type: string;
  /** Absent for a property of an object, which consists of its key and its value. */
  readonly span?: { readonly start: number; readonly end: number };
  readonly [key: string]: unknown;
}

/** Returns a function that converts the parser's positions, which count UTF-8 bytes from 1, into offsets. */
export function offsetsOf(code: string): (place: number) => number {
  const bytes = Buffer.from(code);
  if (bytes.length === code.length) return (place) => place - 1;
  return (place) => bytes.toString('utf8', 0, place - 1).length;
}

export function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'span' && key !== 'key')
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .map((value) => (isWrapper(value) ? value.expression : value))
    .filter(isNode);
}

/**
 * Returns whether a value wraps an argument or an element: an object without a type, one level above the expression.
 */
function isWrapper(value: unknown): value is { expression: unknown } {
  return typeof value === 'object' && value !== null && 'expression' in value && !('type' in value);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
