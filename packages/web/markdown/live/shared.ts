/** Returns the new value, reusing equal parts of the former one. Both are plain data. */
export function shared<Value>(former: unknown, value: Value): Value {
  return former !== value && isSameKind(former, value) ? merge(former, value) : value;
}

type Plain = Record<string, unknown>;

const isSameKind = (former: unknown, value: unknown): former is object =>
  typeof former === 'object' &&
  typeof value === 'object' &&
  former !== null &&
  value !== null &&
  Array.isArray(former) === Array.isArray(value);

function merge<Value>(former: object, value: Value): Value {
  // Object.keys works for arrays too.
  const [from, to] = [former as Plain, value as Plain];
  const keys = Object.keys(to);
  let isEqual = keys.length === Object.keys(from).length;
  for (const key of keys) {
    const next = shared(from[key], to[key]);
    to[key] = next;
    if (!Object.is(next, from[key]) || !(key in from)) isEqual = false;
  }
  return isEqual ? (former as Value) : value; // equal in all that it holds
}
