import {
  type EventName,
  events,
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
  input(name: OperationName): JsonSchema;
  /** Undefined if the operation's reply is just `{ ok: true }`. */
  result(name: OperationName): JsonSchema | undefined;
  event(name: EventName): JsonSchema;
}

const pathOf = (id: string): string => `#/components/schemas/${id}`;

/** Resources are the object schemas that the protocol exports under a capitalised name. */
const resources = Object.entries<unknown>(protocol).flatMap(([name, value]): [string, z.ZodObject][] =>
  /^[A-Z]/.test(name) && value instanceof z.ZodObject ? [[name, value]] : [],
);

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
  const isSent = sentByClients(schemas);
  const tidied = new Map(
    Object.entries(schemas).map(([id, schema]) => [id, tidy(schema, isSent.has(id) ? asItIs : withoutNull)]),
  );
  const schemaOf = (schema: z.ZodType): JsonSchema =>
    isResource.has(idOf(schema)) ? { $ref: pathOf(idOf(schema)) } : (tidied.get(idOf(schema)) ?? {});
  return {
    resources: Object.fromEntries([...tidied].filter(([id]) => isResource.has(id))),
    input: (name) => schemaOf(operations[name].input),
    result: (name) => {
      const { result }: Operation = operations[name];
      return result ? schemaOf(result) : undefined;
    },
    event: (name) => schemaOf(events[name]),
  };
}

/** A field made by `optional`: null is accepted and means absence. */
const isOptionalField = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodPipe && schema.in instanceof z.ZodOptional && schema.in.unwrap() instanceof z.ZodNullable;

/** The ids of inputs and of the resources in them, which clients send. The service never sends null for absence. */
function sentByClients(schemas: Readonly<Record<string, object>>): ReadonlySet<string> {
  const found = new Set<string>(operationNames.map((name) => `${name}.input`));
  for (const id of found)
    for (const [, name] of JSON.stringify(schemas[id] ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (name !== undefined) found.add(name); // the outer loop visits it too
  return found;
}

type Rewrite = (schema: JsonSchema) => JsonSchema;
const asItIs: Rewrite = (schema) => schema;

/** Drops noise: names of the dialect, the bounds of safe integers, the pattern beside a format. */
function tidy(schema: JsonSchema, rewrite: Rewrite): JsonSchema {
  const own = rewrite(schema);
  const entries = Object.entries(own).filter(
    ([key, value]) =>
      !['$schema', '$id', 'id'].includes(key) &&
      Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER &&
      !(key === 'pattern' && 'format' in own),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, tidyInside(key, value, rewrite)]));
}

function tidyInside(key: string, value: unknown, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isObject(item) ? tidy(item, rewrite) : item));
  if (!isObject(value) || key === 'default') return value;
  // The keys of `properties` are field names, not keywords.
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, isObject(field) ? tidy(field, rewrite) : field]),
    );
  return tidy(value, rewrite);
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
