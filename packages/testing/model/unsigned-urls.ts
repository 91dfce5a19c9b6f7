const signed = /^(\/files\/[0-9a-f-]{36}(?:\/thumbnail)?)\?.*$/;

/** What only the asker of a call of a tool gets, and only in answers (CALL-14). */
const ofAsker: ReadonlySet<string> = new Set(['input', 'output', 'arguments', 'result']);

/**
 * A value without what readers get in answers alone: the signatures of file URLs, which change over time without changing
 * the meaning, and the contents of calls of tools that are not shared.
 */
export function withoutSignatures<Value>(value: Value): Value {
  // The type stays the same.
  if (typeof value === 'string') return value.replace(signed, '$1') as Value;
  if (Array.isArray(value)) return value.map(withoutSignatures) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const isCall = 'call_id' in value && !('shared' in value);
  const kept = Object.entries(value).filter(([key]) => !isCall || !ofAsker.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutSignatures(inner)])) as Value;
}
