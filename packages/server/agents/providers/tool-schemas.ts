import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ToolDefinition } from './provider.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that the vendors refuse beside the properties of a tool's input. */
const choices = ['allOf', 'anyOf', 'oneOf'] as const;

/** A tool's name, description and schema in the form that both vendors take; without a description there is none. */
export function sentTool({ name, description, inputSchema }: ToolDefinition): {
  name: string;
  description?: string;
  schema: object;
} {
  const words = description.toWellFormed();
  return { name, ...(words.trim() !== '' && { description: words }), schema: schemaOfObject({ ...inputSchema }) };
}

/**
 * OpenAI refuses an object without `properties`, and both refuse choices at the top: the properties of all of them are
 * listed instead, and only those of `allOf` stay required. Whoever runs the tool checks its input against its own schema.
 */
function schemaOfObject({ allOf, anyOf, oneOf, enum: _enum, not: _not, ...schema }: Schema): object {
  const given = { allOf, anyOf, oneOf };
  const parts = choices.flatMap((keyword) =>
    listIn(given[keyword])
      .filter(isObject)
      .map((part) => ({ part, isRequired: keyword === 'allOf' })),
  );
  const properties = Object.fromEntries(
    [...parts.map(({ part }) => part), schema].flatMap((one) =>
      isObject(one['properties']) ? Object.entries(one['properties']) : [],
    ),
  );
  const required = [schema, ...parts.filter(({ isRequired }) => isRequired).map(({ part }) => part)]
    .flatMap((one) => listIn(one['required']).map(textIn))
    .filter((name, at, all) => Object.hasOwn(properties, name) && all.indexOf(name) === at);
  const { required: _required, ...rest } = schema;
  return { ...rest, type: 'object', properties, ...(required.length > 0 && { required }) };
}
