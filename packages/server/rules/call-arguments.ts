import { canonicalJson } from './canonical-json.ts';
import { isObject } from './json-values.ts';

/** Maximum depth of arguments: more is nobody's request, and would exhaust the stack of what reads it. */
const MAX_DEPTH = 200;

/** The arguments of a call as canonical JSON; undefined if they are no JSON object (CALL-5). */
export function canonicalArguments(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isShallow(value, MAX_DEPTH) ? canonicalJson(value) : undefined;
  } catch {
    return undefined;
  }
}

const isShallow = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1)));
