/** Deep equality of JSON values; an absent field equals an undefined one. Errors are equal only to themselves. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null || one instanceof Error)
    return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSame(item, other[at]))
    );
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>]; // objects
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => isSame(left[key], right[key]));
}

/** The new record, with the values that are unchanged as they were, so that cells and memos see no change. */
export function keepingSame<Item extends object>(before: Item, next: Item): Item {
  const fields = Object.keys(next) as (keyof Item)[]; // its own keys
  const kept = fields.filter((field) => isSame(before[field], next[field]));
  return kept.length === fields.length
    ? before
    : { ...next, ...Object.fromEntries(kept.map((field) => [field, before[field]])) };
}
