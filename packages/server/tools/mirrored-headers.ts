import { isObject } from '../rules/json-values.ts';

/** By this keyword a parameter asks to be repeated as a header of the call (revision 2026-07-28). */
const KEYWORD = 'x-mcp-header';
/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = new Set<unknown>(['string', 'integer', 'boolean']);
/** Keywords whose values are no schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Whether a tool asks only for headers that a client may send: with different names, for simple parameters that it always
 * finds. Clients must leave out a tool that asks for others (TOOL-20).
 */
export function hasValidHeaders(tool: unknown): boolean {
  const names = new Set<string>();
  const waiting: { schema: unknown; isChain: boolean; mayAsk: boolean }[] = [
    { schema: isObject(tool) ? tool['inputSchema'] : undefined, isChain: true, mayAsk: false },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { schema, isChain, mayAsk } = next;
    if (Array.isArray(schema)) for (const one of schema) waiting.push({ schema: one, isChain: false, mayAsk: false });
    if (!isObject(schema)) continue;
    if (KEYWORD in schema) {
      const name = schema[KEYWORD];
      if (!mayAsk || typeof name !== 'string' || !NAME.test(name) || !TYPES.has(schema['type'])) return false;
      if (names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
    }
    const { properties } = schema;
    for (const one of Object.values(isObject(properties) ? properties : {}))
      waiting.push({ schema: one, isChain, mayAsk: isChain });
    for (const [keyword, value] of Object.entries(schema))
      if (keyword !== 'properties' && !VALUES.has(keyword))
        waiting.push({ schema: value, isChain: false, mayAsk: false });
  }
  return true;
}
