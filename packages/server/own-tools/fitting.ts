import { RESULT_BYTES } from '../rules/tool-results.ts';

/** Bytes of a result that are left for what stands around its items. */
const REST_BYTES = 1_024;

/** The first items of a list that fit into one result as JSON. */
export function fitting<Item>(items: readonly Item[]): Item[] {
  let room = RESULT_BYTES - REST_BYTES;
  const end = items.findIndex((item) => (room -= Buffer.byteLength(JSON.stringify(item)) + 1) < 0);
  return items.slice(0, end === -1 ? items.length : end);
}
