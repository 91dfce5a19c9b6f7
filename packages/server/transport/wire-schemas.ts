import {
  type EventName,
  events,
  fieldNotes,
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '@parley/protocol';
import * as protocol from '@parley/protocol';
import { z } from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The declarations as JSON Schema; resources are references. */
export interface WireSchemas {
  resources: Readonly<Record<string, JsonSchema>>;
  /** The resources that a part of a document refers to, and those that they refer to. */
  usedIn(document: object): Readonly<Record<string, JsonSchema>>;
  input(name: OperationName): JsonSchema;
  /** Undefined if the operation's reply is just `{ ok: true }`. */
  result(name: OperationName): JsonSchema | undefined;
  event(name: EventName): JsonSchema;
}

const pathOf = (id: string): string => `#/components/schemas/${id}`;

/** Resources are the objects and unions that the protocol exports under a capitalised name, and a union's members. */
const exported = Object.entries<unknown>(protocol).filter(([name]) => /^[A-Z]/.test(name));
const unions = exported.flatMap(([name, value]): [string, z.ZodDiscriminatedUnion][] =>
  value instanceof z.ZodDiscriminatedUnion ? [[name, value]] : [],
);
const resources: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ...exported.flatMap(([name, value]): [string, z.ZodType][] => (value instanceof z.ZodObject ? [[name, value]] : [])),
  ...unions.flatMap(([name, union]) => Object.entries(membersOf(union, name))),
  ...unions,
];

/** The members of a union by name: `ToolPart` is the `Part` whose `type` is `tool`. */
function membersOf(
  { options, def: { discriminator } }: z.ZodDiscriminatedUnion,
  name: string,
): Record<string, z.ZodType> {
  return Object.fromEntries(
    options.flatMap((option) => {
      const tag = option instanceof z.ZodObject && option.shape[discriminator];
      if (!(option instanceof z.ZodObject) || !(tag instanceof z.ZodLiteral)) return [];
      const words = String(tag.value).split('_');
      const value = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
      return [[`${value}${name}`, option]];
    }),
  );
}

/** The JSON Schema dialects: OpenAPI 3.1 uses draft 2020-12, AsyncAPI 3.0 draft 07. */
type Dialect = 'draft-2020-12' | 'draft-07';

const made = new Map<Dialect, WireSchemas>();

/** Generates the schemas once per dialect and caches them, because generating is slow. */
export function wireSchemas(dialect: Dialect): WireSchemas {
  const schemas = made.get(dialect) ?? makeSchemas(dialect);
  made.set(dialect, schemas);
  return schemas;
}

function makeSchemas(target: Dialect): WireSchemas {
  const registry = z.registry<{ id: string }>();
  const idOf = (schema: z.ZodType): string => registry.get(schema)?.id ?? '';
  const register = (id: string, schema: z.ZodType | null) => {
    if (schema && !registry.has(schema)) registry.add(schema, { id });
  };
  for (const [name, schema] of resources) register(name, schema);
  for (const name of operationNames) {
    const { input, result }: Operation = operations[name];
    register(`${name}.input`, input);
    register(`${name}.result`, result);
  }
  for (const [name, schema] of Object.entries(events)) register(`events.${name}`, schema);

  // All schemas are generated as input, even those the service sends, because these may get new fields (VERSION-1).
  const { schemas } = z.toJSONSchema(registry, {
    uri: pathOf,
    io: 'input',
    target,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (isOptionalField(zodSchema)) jsonSchema['x-null-is-absent'] = true;
    },
  });
  const isResource = new Set(resources.map(([name]) => name));
  // What clients send: the service never sends null for absence.
  const inputs = operationNames.map((name) => `${name}.input`);
  const isSent = new Set([
    ...inputs,
    ...referredBy(
      inputs.map((id) => schemas[id] ?? {}),
      schemas,
    ),
  ]);
  const tidied = new Map(
    Object.entries(schemas).map(([id, schema]) => [id, tidy(schema, isSent.has(id) ? asItIs : asSent)]),
  );
  if (target === 'draft-2020-12')
    for (const [name, union] of unions)
      tidied.set(name, { ...tidied.get(name), discriminator: discriminatorOf(union, name) });
  const schemaOf = (schema: z.ZodType): JsonSchema =>
    isResource.has(idOf(schema)) ? { $ref: pathOf(idOf(schema)) } : (tidied.get(idOf(schema)) ?? {});
  const published = Object.fromEntries([...tidied].filter(([id]) => isResource.has(id)));
  return {
    resources: published,
    usedIn: (document) => {
      const used = referredBy([document], published);
      return Object.fromEntries(Object.entries(published).filter(([id]) => used.has(id)));
    },
    input: (name) => schemaOf(operations[name].input),
    result: (name) => {
      const { result }: Operation = operations[name];
      return result ? schemaOf(result) : undefined;
    },
    event: (name) => schemaOf(events[name]),
  };
}

/** OpenAPI's own keyword: which member a value is. AsyncAPI has no mapping. */
const discriminatorOf = (union: z.ZodDiscriminatedUnion, name: string): object => ({
  propertyName: union.def.discriminator,
  mapping: Object.fromEntries(
    Object.keys(membersOf(union, name)).map((id) => [id.slice(0, -name.length).toLowerCase(), pathOf(id)]),
  ),
});

/** A field made by `optional`: null is accepted and means absence. */
const isOptionalField = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodPipe && schema.in instanceof z.ZodOptional && schema.in.unwrap() instanceof z.ZodNullable;

const idsIn = (value: object): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].flatMap(([, id]) => id ?? []);

/** The ids of the schemas that these refer to, and of those that they refer to. */
function referredBy(from: readonly object[], schemas: Readonly<Record<string, object>>): ReadonlySet<string> {
  const found = new Set(from.flatMap(idsIn));
  // A set's loop visits what is added to it meanwhile.
  for (const id of found) for (const next of idsIn(schemas[id] ?? {})) found.add(next);
  return found;
}

type Rewrite = (schema: JsonSchema) => JsonSchema;
const asItIs: Rewrite = (schema) => schema;
/**
 * What the service sends: without null for absence, without the bounds of safe integers, and what is true or absent as a
 * plain boolean, since openapi-generator compares such a constant with the text "true".
 */
const asSent: Rewrite = (schema) => {
  const { type, ...rest } = withoutNull(schema);
  const entries = Object.entries(rest).filter(
    ([key, value]) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER && !(key === 'const' && type === 'boolean'),
  );
  return { ...(type !== undefined && { type }), ...Object.fromEntries(entries) };
};

/** Drops noise: names of the dialect, the least safe integer, the pattern beside a format. Describes each field. */
function tidy(schema: JsonSchema, rewrite: Rewrite): JsonSchema {
  const own = mergedNull(rewrite(schema));
  const entries = Object.entries(own).filter(
    ([key, value]) =>
      !['$schema', '$id', 'id'].includes(key) &&
      value !== Number.MIN_SAFE_INTEGER &&
      !(key === 'pattern' && 'format' in own),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, tidyInside(key, value, rewrite)]));
}

function tidyInside(key: string, value: unknown, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isObject(item) ? tidy(item, rewrite) : item));
  if (!isObject(value) || key === 'default' || key === 'if') return value;
  // The keys of `properties` are field names, not keywords.
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        isObject(field) ? described(name, tidy(field, rewrite)) : field,
      ]),
    );
  return tidy(value, rewrite);
}

/** The schema of a field with a description: its own, or the one that fields of this name have in common (API-10). */
function described(name: string, { description: own, ...schema }: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  const inner = Array.isArray(anyOf) ? anyOf.map((one: unknown) => isObject(one) && one['description']) : [];
  const description = own ?? inner.find(Boolean) ?? fieldNotes[name];
  return { ...(description !== undefined && { description }), ...schema };
}

/** The schema of an `optional` field without its null; any other schema unchanged. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  if (!('x-null-is-absent' in schema)) return schema;
  const { 'x-null-is-absent': _mark, anyOf, type, ...rest } = schema as Record<string, unknown>;
  const others = Array.isArray(anyOf) ? anyOf.filter((one: unknown) => !isObject(one) || one['type'] !== 'null') : [];
  const inner = others.length === 1 && isObject(others[0]) ? others[0] : others.length > 1 ? { anyOf: others } : {};
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  return { ...inner, ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }), ...rest };
}

/** A value of a simple type or null: in one schema, without `anyOf`. */
function mergedNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, other] = anyOf as [JsonSchema, JsonSchema];
  const isSimple = typeof value['type'] === 'string' && !('enum' in value) && !('const' in value);
  return isSimple && other['type'] === 'null' ? { ...value, ...rest, type: [value['type'], 'null'] } : schema;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
