import { limits } from '@parley/protocol';
import type { RawJson } from '../core/json.ts';
import { Slice } from '../core/slices.ts';
import type { Awaitable } from '../store/sql.ts';

interface Page<Row, Part> {
  rows: readonly Row[];
  /** Renders a row; undefined if it is left out. `isStale`: the row may have changed since it was read. */
  render: (row: Row, isStale: boolean) => Awaitable<Part | undefined>;
  /** Whether a part that was rendered before a pause is still current. */
  holds: (row: Row, part: Part) => Awaitable<boolean>;
}

interface Shown<Row, Part> {
  shown: { row: Row; part: Part }[];
  /** Number of rows up to the end of the page, including those left out. */
  taken: number;
}

/**
 * Renders rows as JSON, in order, until the page has 1 MiB; at least one. A long page pauses, and afterwards checks
 * again what it has rendered: no answer contains what its reader may not see at that moment (LOG-13, DEL-5).
 */
export async function slicedPage<Row, Part extends { json: RawJson }>({
  rows,
  render,
  holds,
}: Page<Row, Part>): Promise<Shown<Row, Part>> {
  const slice = new Slice();
  const parts = new Map<Row, Part | null>();
  let isStale = false;
  for (;;) {
    const page: Shown<Row, Part> = { shown: [], taken: 0 };
    let bytes = 0;
    let hasPaused = false;
    for (const row of rows) {
      let part = parts.get(row);
      // A row that an earlier round left out stays out, so each round has less to render than the previous one.
      if (part !== null && !(part && (await holds(row, part)))) {
        if (parts.size > 0 && (await slice.pause())) hasPaused = isStale = true;
        part = (await render(row, isStale)) ?? null;
        parts.set(row, part);
      }
      if (part) {
        bytes += Buffer.byteLength(part.json.text);
        if (bytes > limits.pageBytes && page.shown.length > 0) break;
        page.shown.push({ row, part });
      }
      page.taken += 1;
    }
    if (!hasPaused) return page;
  }
}
