import { invalid } from './errors.ts';

type ValueTypes = readonly ('number' | 'string')[];
type ValuesOf<Types extends ValueTypes> = {
  -readonly [At in keyof Types]: Types[At] extends 'number' ? number : string;
};

export const notOurs = () => invalid('cursor', 'is not one of ours');

/** The place behind which a list goes on, opaque to clients. `kind` tells the lists apart. */
export const encodeCursor = (kind: string, ...values: (number | string)[]): string =>
  Buffer.from(JSON.stringify([kind, ...values])).toString('base64url');

/**
 * The values of a cursor of ours; anything else is invalid_argument (PAGE-2). They are as many as `types`, and of
 * these types: what a client made up does not reach a statement.
 */
export function decodeCursor<const Types extends ValueTypes>(
  kind: string,
  cursor: string,
  types: Types,
): ValuesOf<Types> {
  const [found, ...values] = parse(cursor);
  if (found !== kind || values.length !== types.length || !values.every((value, at) => isOf(types[at], value)))
    throw notOurs();
  // Each value was compared with its type.
  return values as ValuesOf<Types>;
}

const isOf = (type: ValueTypes[number] | undefined, value: unknown): boolean =>
  type === 'number' ? Number.isSafeInteger(value) : typeof value === 'string';

function parse(cursor: string): unknown[] {
  // Buffer skips what is no base64url: a cursor of ours has nothing to skip.
  if (!/^[\w-]+$/.test(cursor)) return [];
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
