import { invalid } from './errors.ts';

type ValueTypes = readonly ('number' | 'string')[];
type ValuesOf<Types extends ValueTypes> = {
  -readonly [At in keyof Types]: Types[At] extends 'number' ? number : string;
};

export const notOurs = () => invalid('cursor', 'is invalid');

/** The position where a list continues, opaque to clients. `kind` identifies the list. */
export const encodeCursor = (kind: string, ...values: (number | string)[]): string =>
  Buffer.from(JSON.stringify([kind, ...values])).toString('base64url');

/**
 * Decodes a cursor; throws if this service did not make it for a list of this `kind` (PAGE-2). The number and types of
 * the values match `types`, so a forged cursor cannot pass other values to a statement.
 */
export function decodeCursor<const Types extends ValueTypes>(
  kind: string,
  cursor: string,
  types: Types,
): ValuesOf<Types> {
  const [found, ...values] = parse(cursor);
  if (found !== kind || values.length !== types.length || !values.every((value, at) => isOf(types[at], value)))
    throw notOurs();
  // Each value's type was checked above.
  return values as ValuesOf<Types>;
}

const isOf = (type: ValueTypes[number] | undefined, value: unknown): boolean =>
  type === 'number' ? Number.isSafeInteger(value) : typeof value === 'string';

function parse(cursor: string): unknown[] {
  // Buffer ignores characters that are not base64url, and a real cursor has none.
  if (!/^[\w-]+$/.test(cursor)) return [];
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
