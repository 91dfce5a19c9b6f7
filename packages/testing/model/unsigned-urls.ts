const signed = /^(\/files\/[0-9a-f-]{36}(?:\/thumbnail)?)\?.*$/;

/** A value without the signatures in addresses of files: they change from minute to minute, and mean the same. */
export function withoutSignatures<Value>(value: Value): Value {
  // Of each kind comes out what went in.
  if (typeof value === 'string') return value.replace(signed, '$1') as Value;
  if (Array.isArray(value)) return value.map(withoutSignatures) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSignatures(inner)])) as Value;
}
