// Converts PostgreSQL's values to the values that SQLite returns for the same column or expression.

/** Ids of built-in types in pg_type. */
const oids = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  float4: 700,
  float8: 701,
  numeric: 1700,
};

const toNumber = (text: string): number => {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    throw new RangeError(`the integer ${text} is too large for a JavaScript number`);
  return number;
};

export type Parser = (text: string) => string | number | Uint8Array;

const parsers = new Map<number, Parser>([
  // SQLite returns 0 and 1.
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.bytea, (text) => Uint8Array.fromHex(text.slice('\\x'.length))],
  [oids.int2, Number],
  [oids.int4, Number],
  [oids.oid, Number],
  [oids.float4, Number],
  [oids.float8, Number],
  // PostgreSQL's sums of integers are numeric.
  [oids.int8, toNumber],
  [oids.numeric, toNumber],
]);

const asText: Parser = (text) => text;

/** For `pg`: the parser of a type. */
export const valueTypes = { getTypeParser: (oid: number): Parser => parsers.get(oid) ?? asText };
