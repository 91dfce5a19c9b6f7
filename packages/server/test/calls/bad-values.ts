import { z } from 'zod';

/** The part of JSON Schema that the declarations use. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  minItems?: number;
}

export type Path = readonly (string | number)[];

interface Field {
  path: Path;
  schema: Schema;
  isRequired: boolean;
}

/** JSON text that is sent as it is, because JSON.stringify would not produce it. */
export class Text {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

export function toJson(value: unknown): string {
  if (value instanceof Text) return value.json;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`).join(',')}}`;
}

// zod generates this part of JSON Schema.
const schemaOf = (input: z.ZodType): Schema => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema;

/** The schema as one alternative per type. */
function variants(schema: Schema): (Schema & { type?: string })[] {
  if (schema.anyOf) return schema.anyOf.flatMap(variants);
  const { type, ...rest } = schema;
  if (type === undefined) return [rest];
  return [type].flat().map((one) => ({ ...rest, type: one }));
}

/** Every field of an input, at any depth. */
export function* fieldsOf(input: z.ZodType): Generator<Field> {
  yield* walk(schemaOf(input), []);
}

function* walk(schema: Schema, path: Path): Generator<Field> {
  for (const { properties = {}, required = [], items } of variants(schema)) {
    for (const [name, property] of Object.entries(properties)) {
      const field = { path: [...path, name], schema: property, isRequired: required.includes(name) };
      yield field;
      yield* walk(property, field.path);
    }
    if (!items) continue;
    yield { path: [...path, 0], schema: items, isRequired: true };
    yield* walk(items, [...path, 0]);
  }
}

/** A value that satisfies the schema. */
function sample(schema: Schema): unknown {
  const {
    type,
    properties = {},
    required = [],
    enum: choices,
    const: fixed,
    pattern,
    minimum = 0,
    items = {},
    minItems = 0,
  } = variants(schema)[0] ?? {};
  if (fixed !== undefined) return fixed;
  if (choices) return choices[0];
  switch (type) {
    case 'string':
      return pattern?.includes('{8}-') ? '00000000-0000-7000-8000-000000000000' : 'abc123';
    case 'integer':
    case 'number':
      return Math.max(1, minimum);
    case 'boolean':
      return true;
    case 'array':
      // Different ones: a list may refuse doubled items.
      return Array.from({ length: minItems }, (_, at) => {
        if (items.enum) return items.enum[at];
        return items.type === 'string' ? `abc_${at}` : sample(items);
      });
    case 'object':
      return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
    default:
      return {};
  }
}

/** The params with another value at the path; missing objects on the path are created. */
export function withValue(input: z.ZodType, params: object, path: Path, value: unknown): unknown {
  const put = (schema: Schema, target: unknown, [step, ...rest]: Path): unknown => {
    if (step === undefined) return value;
    const options = variants(schema);
    if (typeof step === 'number') {
      const items = options.find((option) => option.items)?.items ?? {};
      const list = Array.isArray(target) && target.length > 0 ? target : [sample(items)];
      return [put(items, list[0], rest), ...list.slice(1)];
    }
    const shape = options.find((option) => option.properties);
    const object = typeof target === 'object' && target !== null ? target : sample(shape ?? {});
    const inner = shape?.properties?.[step] ?? {};
    // The schema says that it is an object.
    const fields = object as Record<string, unknown>;
    return { ...fields, [step]: put(inner, fields[step], rest) };
  };
  return put(schemaOf(input), params, path);
}

const types: Record<string, unknown[]> = {
  null: [null],
  boolean: [true, false],
  number: [0, -1, 1.5, new Text('-0'), new Text('9007199254740993'), new Text('1e400'), -1e300],
  string: [
    '',
    ' ',
    'NaN',
    'x'.repeat(300),
    'y'.repeat(40_000),
    "' OR 1=1; DROP TABLE messages; --",
    '../../etc/passwd',
    '%00%ff',
    '00000000-0000-7000-8000-00000000000G',
    '00000000-0000-7000-8000-000000000000',
    '9999-99-99T99:99:99Z',
    '😀'.repeat(20),
    '\u202e\u0001\u2028',
  ],
  array: [[], [null], [[]], [{}], [1], ['x'], Array(2_000).fill('x'), new Text(`[${'1,'.repeat(40_000)}1]`)],
  object: [
    {},
    { a: 1 },
    new Text('{"__proto__":{"admin":true},"constructor":1,"toString":2,"toJSON":3,"then":4}'),
    new Text(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`),
  ],
};
/** Strings that are not valid text. */
const noText = ['\ud800', 'a\udc00b', 'a\0b'];

/** Which of `types` a schema accepts; all of them if it names none. */
function accepted(schema: Schema): Set<string> {
  const found = new Set<string>();
  for (const { type, enum: choices, const: fixed } of variants(schema)) {
    if (type === undefined && !choices && fixed === undefined) return new Set(Object.keys(types));
    for (const one of choices ?? (fixed === undefined ? [] : [fixed])) found.add(one === null ? 'null' : typeof one);
    if (type) found.add(type === 'integer' ? 'number' : type);
  }
  return found;
}

/** Values to put into a field; `mustFail` if the only right answer is a refusal that names the field. */
export function* badValues({ path, schema, isRequired }: Field): Generator<{ value: unknown; mustFail: boolean }> {
  // An item of a list cannot be missing.
  if (isRequired && typeof path.at(-1) === 'string') yield { value: undefined, mustFail: true };
  const takes = accepted(schema);
  for (const [type, values] of Object.entries(types))
    for (const value of values) yield { value, mustFail: !takes.has(type) };
  const isFree = takes.size === Object.keys(types).length;
  for (const value of noText) yield { value, mustFail: !isFree || value !== 'a\0b' };
}

/** Values to send instead of the whole params object. */
export const badBodies: unknown[] = Object.entries(types).flatMap(([type, values]) =>
  type === 'object' ? [] : values,
);
