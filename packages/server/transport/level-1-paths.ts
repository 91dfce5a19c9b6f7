import { z } from 'zod';
import * as protocol from '@parley/protocol';
import { errorStatus, events, operationNames, operations, socketMethods } from '@parley/protocol';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  required?: string[];
}

/** Everything on the wire, by name, as level-1.json has it: fields as paths (`reactions[].emoji`) and values (`kind=direct`). */
export function wirePaths(): Record<string, string[]> {
  const found: Record<string, string[]> = {
    errors: Object.keys(errorStatus),
    methods: [...socketMethods].map(([method, { operation }]) => `${method}=${operation}`),
  };
  for (const [name, schema] of Object.entries<unknown>(protocol))
    if (schema instanceof z.ZodType) found[`resource ${name}`] = paths(jsonOf(schema, 'output'));
  for (const [name, schema] of Object.entries(events)) found[`event ${name}`] = fields(jsonOf(schema, 'output'));
  for (const name of operationNames) {
    const { input, result } = operations[name];
    const takes = jsonOf(input, 'input');
    found[`${name} takes`] = paths(takes);
    found[`${name} requires`] = takes.required ?? [];
    if (result) found[`${name} answers`] = fields(jsonOf(result, 'output'));
  }
  return found;
}

// zod's output has more keywords; only these matter here.
const jsonOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;

/** Top-level fields only: nested resources have their own entries. */
const fields = ({ properties = {}, anyOf = [] }: JsonSchema): string[] => [
  ...Object.keys(properties),
  ...anyOf.flatMap(fields),
];

function paths({ properties = {}, items, anyOf = [], enum: values = [] }: JsonSchema, at = ''): string[] {
  const below = Object.entries(properties).flatMap(([name, schema]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...paths(schema, path)];
  });
  const found = [
    ...below,
    ...(items ? paths(items, `${at}[]`) : []),
    ...anyOf.flatMap((schema) => paths(schema, at)),
    ...values.map((value) => `${at}=${String(value)}`),
  ];
  return [...new Set(found)];
}
