import { invalid } from './errors.ts';

export type CursorValue = number | string;
type ValueTypes = readonly ('number' | 'string')[];
type ValuesOf<Types extends ValueTypes> = { -readonly [At in keyof Types]: Types[At] extends 'number' ? number : string };

/** The place behind which a list goes on, opaque to clients. `kind` tells the lists apart. */
export const encodeCursor = (kind: string, ...values: CursorValue[]): string =>
  Buffer.from(JSON.stringify([kind, ...values])).toString('base64url');

/**
 * The values of a cursor of ours; anything else is invalid_argument (PAGE-2). With `types` they are as many, and of
 * these types: what a client made up does not reach a statement.
 */
export function decodeCursor(kind: string, cursor: string): CursorValue[];
export function decodeCursor<const Types extends ValueTypes>(kind: string, cursor: string, types: Types): ValuesOf<Types>;
export function decodeCursor(kind: string, cursor: string, types?: ValueTypes): CursorValue[] {
  const [found, ...values] = parse(cursor);
  if (found !== kind || !values.every(isValue) || (types && !areOf(types, values)))
    throw invalid('cursor', 'is not one of ours');
  return values;
}

const isValue = (value: unknown): value is CursorValue => typeof value === 'string' || Number.isSafeInteger(value);

const areOf = (types: ValueTypes, values: readonly CursorValue[]): boolean =>
  values.length === types.length && values.every((value, at) => typeof value === types[at]);

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
