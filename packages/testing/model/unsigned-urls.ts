const signed = /^(\/files\/[0-9a-f-]{36}(?:\/thumbnail)?)\?.*$/;

/** A value without the signatures of file URLs, which change over time without changing the meaning. */
export function withoutSignatures<Value>(value: Value): Value {
  // The type stays the same.
  if (typeof value === 'string') return value.replace(signed, '$1') as Value;
  if (Array.isArray(value)) return value.map(withoutSignatures) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSignatures(inner)])) as Value;
}
