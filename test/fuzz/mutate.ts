import type { createDraw } from '../campaign/plan.ts';

export type Draw = ReturnType<typeof createDraw>;

/** The part of JSON Schema that the API's document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
}

/** JSON as text. Text can also contain duplicate keys and unpaired surrogates, which no JavaScript value can. */
type Json = string;

const LONG = JSON.stringify('я'.repeat(12_000));

/** Values that often break validators, databases or logs. */
export const STRANGE: readonly Json[] = [
  ...['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"":""}', '""', '" "', LONG],
  ...['0', '-0', '-1', '1', '1.5', '1e-7', '1e300', '-1e300', '1e400', '0.1', '100.001'],
  ...['2147483647', '2147483648', '-2147483649', '9007199254740991', '9007199254740993', '9223372036854775808'],
  ...['"0"', '"1"', '"-1"', '"1e3"', '"NaN"', '"true"', '"null"', '"undefined"', '"[object Object]"'],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ufffe"',
    '"\\u202e\\u2066x"',
    '"\\r\\nSet-Cookie: a=b"',
  ],
  ...['"🦊👩‍👩‍👧‍👦"', '"Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A"', '"ﷺ"', '"ſ"', '"İ"'],
  ...[
    '"\'; DROP TABLE bots; --"',
    '"$1"',
    '"%s%n%x"',
    '"$\u007b7*7}"',
    '"{{7*7}}"',
    '"../../../etc/passwd"',
    '"%2e%2e%2f"',
  ],
  ...[
    '"<script>alert(1)</script>"',
    '"javascript:alert(1)"',
    '"data:text/html,x"',
    '"file:///etc/passwd"',
    '"//evil.example"',
  ],
  ...['"http://127.0.0.1:22/"', '"http://[::1]/"', '"http://a@b:c@d/"', '"https://t.me/+"', '"tg://resolve?domain=x"'],
  ...['"2026-02-31"', '"0000-00-00T00:00:00Z"', '"+275760-09-13T00:00:00Z"', '"9999999999999"'],
  ...[
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"toString":null}',
    '{"length":-1}',
    '{"then":1}',
  ],
  '['.repeat(2_000) + ']'.repeat(2_000),
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
];

/** Returns a value that the schema accepts, or nearly: strings ignore their pattern. */
function sample(schema: Schema, draw: Draw): Json {
  const example = schema.example ?? schema.examples?.[0];
  if (example !== undefined && draw.chance(0.6)) return JSON.stringify(example);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return JSON.stringify(draw.of(schema.enum));
  if (schema.anyOf !== undefined) return sample(draw.of(schema.anyOf), draw);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return object(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sample(field, draw)]));
    case 'array': {
      const count = Math.max(schema.minItems ?? 0, draw.whole(0, 3));
      return `[${Array.from({ length: count }, () => sample(schema.items ?? {}, draw)).join(',')}]`;
    }
    case 'integer':
    case 'number': {
      const low = schema.minimum ?? 1;
      return String(draw.whole(low, Math.min(schema.maximum ?? low + 100_000, low + 100_000)));
    }
    case 'boolean':
      return draw.of(['true', 'false']);
    default:
      return draw.of(['"text"', '"https://example.com/"', '"RU"', '"a_name_of_something"', '"7"']);
  }
}

const object = (fields: readonly (readonly [string, Json])[]): Json =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

/** Returns a body for this schema, in most cases with one error. */
export function mutate(schema: Schema, draw: Draw): Json {
  const { properties = {} } = schema;
  const names = Object.keys(properties);
  if (names.length === 0 || draw.chance(0.08)) return draw.of(STRANGE);
  const fields = names.map((name): [string, Json] => [name, sample(properties[name] ?? {}, draw)]);
  const victim = draw.of(fields);
  switch (draw.whole(0, 8)) {
    case 0:
      return object(fields);
    case 1:
      return object(fields.filter((field) => field !== victim));
    case 2:
      return object([...fields, [victim[0], draw.of(STRANGE)]]); // the same key twice
    case 3:
      return object([
        ...fields,
        [draw.of(['__proto__', 'constructor', '', 'х', 'filters', '\u0000']), draw.of(STRANGE)],
      ]);
    case 4: {
      const whole = object(fields);
      return whole.slice(0, draw.whole(0, whole.length - 1));
    }
    case 5:
      victim[1] = inside(properties[victim[0]] ?? {}, draw);
      return object(fields);
    case 6:
      for (const field of fields) field[1] = draw.of(STRANGE);
      return object(fields);
    default:
      victim[1] = draw.of(STRANGE);
      return object(fields);
  }
}

/** Returns an array or object for this schema with an error inside it. */
function inside(schema: Schema, draw: Draw): Json {
  const inner = schema.anyOf === undefined ? schema : draw.of(schema.anyOf);
  if (inner.items !== undefined) {
    return draw.chance(0.2)
      ? `[${Array.from({ length: 500 }, () => sample(inner.items ?? {}, draw)).join(',')}]`
      : `[${mutate(inner.items, draw)}]`;
  }
  return inner.properties === undefined ? draw.of(STRANGE) : mutate(inner, draw);
}

/** Values for a path or query part where a number or a name is expected, encoded as on the wire. */
export const STRANGE_PARTS: readonly string[] = [
  ...[
    '0',
    '-1',
    '1',
    '2',
    '01',
    '1.0',
    '1e3',
    '0x1',
    '9007199254740993',
    '99999999999999999999',
    'NaN',
    'null',
    '%20',
    '+',
  ],
  ...[
    '%00',
    '%ff',
    '%C0%80',
    '%ED%A0%80',
    '%F0%9F%A6%8A',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%2f',
    '%5c',
    '%0d%0aX:%20y',
  ],
  ...[
    "1'%20OR%20'1'='1",
    '1;DROP%20TABLE%20bots',
    '%3Cscript%3E',
    '%24%7B7*7%7D',
    'o1',
    'o999999999',
    '__proto__',
    'constructor',
  ],
  ...['a'.repeat(150), 'a'.repeat(199), 'a'.repeat(1_000), '%D9%A1', '%zz', '%', '*', ':', '@', '~', "'"],
];

export function mutateQuery(names: readonly string[], draw: Draw): string {
  const parts = Array.from({ length: draw.whole(0, 4) }, () => {
    const name =
      draw.chance(0.85) && names.length > 0 ? draw.of(names) : draw.of(['x', '', 'a[b]', '__proto__', 'limit[]']);
    return `${name}=${draw.of(STRANGE_PARTS)}`;
  });
  if (draw.chance(0.03)) parts.push(`x=${'q'.repeat(8_000)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
