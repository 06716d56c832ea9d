/** The part of JSON Schema that the service uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Style {
  /** Input can have fields with the value `undefined`, which JSON leaves out. */
  readonly isSent: boolean;
}

/** Returns the TypeScript type of a schema, not formatted. */
export function schemaToType(schema: Schema, style: Style): string {
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((part) => schemaToType(part, style)));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const { type } = schema;
  if (typeof type === 'object') return union(type.map((one) => schemaToType({ ...schema, type: one }, style)));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `(${schema.items === undefined ? 'unknown' : schemaToType(schema.items, style)})[]`;
    case 'object':
      return schema.properties === undefined ? 'Record<string, unknown>' : objectType(schema, style);
    default:
      throw new Error(`Unsupported schema: ${JSON.stringify(schema)}`);
  }
}

export function objectType({ properties = {}, required = [] }: Schema, style: Style): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const type = schemaToType(schema, style);
    const member = required.includes(name) ? `${name}: ${type}` : optional(name, type, style);
    return `${comment(schema.description)}${member};\n`;
  });
  return `{\n${members.join('')}}`;
}

export function optional(name: string, type: string, { isSent }: Style): string {
  return `${name}?: ${type}${isSent ? ' | undefined' : ''}`;
}

export function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
}

export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}

const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ');
