/** The value at a path in a reply; throws if the reply has another shape. */
function valueAt(reply: unknown, path: readonly string[]): unknown {
  let value = reply;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}

export function textAt(reply: unknown, ...path: string[]): string {
  const value = valueAt(reply, path);
  if (typeof value !== 'string') throw new Error(`a reply has no text at ${path.join('.')}`);
  return value;
}

export function numberAt(reply: unknown, ...path: string[]): number {
  const value = valueAt(reply, path);
  if (typeof value !== 'number') throw new Error(`a reply has no number at ${path.join('.')}`);
  return value;
}
