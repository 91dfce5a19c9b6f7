import { isObject } from './json-values.ts';

/** Maximum depth of arguments: more is no request of a person's, and would exhaust the stack. */
const MAX_DEPTH = 200;

/**
 * The JSON of a value with the keys of its objects in order, so that equal values have equal texts. Undefined if it is
 * nested too deep.
 */
export function canonicalJson(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return joined('[', ']', value, (item) => canonicalJson(item, depth + 1));
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).toSorted();
  return joined('{', '}', keys, (key) => {
    const text = canonicalJson(value[key], depth + 1);
    return text === undefined ? undefined : `${JSON.stringify(key)}:${text}`;
  });
}

function joined<Item>(
  open: string,
  close: string,
  items: readonly Item[],
  textOf: (item: Item) => string | undefined,
): string | undefined {
  const texts: string[] = [];
  for (const item of items) {
    const text = textOf(item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return open + texts.join(',') + close;
}

/** The arguments of a call as canonical JSON; undefined if they are no JSON object (CALL-5). */
export function canonicalArguments(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? canonicalJson(value) : undefined;
  } catch {
    return undefined;
  }
}
