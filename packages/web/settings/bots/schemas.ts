import type { Params } from '@parley/protocol';

type Schemas = Pick<Params<'createBot'>, 'config_schema' | 'secret_schema'>;

/** Parses the schemas of a new bot; empty for a blank text, null for any other form. */
export function parseSchemas(text: string): Schemas | null {
  if (text.trim() === '') return {};
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null) return null;
  // A bare list is the config schema. The service validates each field.
  const { config_schema = [], secret_schema = [] } = (
    Array.isArray(given) ? { config_schema: given } : given
  ) as Schemas;
  return Array.isArray(config_schema) && Array.isArray(secret_schema) ? { config_schema, secret_schema } : null;
}
