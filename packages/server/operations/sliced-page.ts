import { limits } from '@parley/protocol';
import type { RawJson } from '../core/json.ts';
import { Slice } from '../core/slices.ts';
import type { Awaitable } from '../store/sql.ts';

interface Page<Row, Part> {
  rows: readonly Row[];
  /** What is shown of a row, if anything. `isStale`: others had their turn since the rows were read. */
  render: (row: Row, isStale: boolean) => Awaitable<Part | undefined>;
  /** True while what was rendered before a pause may be shown as it is. */
  holds: (row: Row, part: Part) => Awaitable<boolean>;
}

interface Shown<Row, Part> {
  shown: { row: Row; part: Part }[];
  /** How many of the rows the page goes through; of the others none was shown. */
  taken: number;
}

/**
 * Rows as JSON, in their order, until the page has 1 MiB; at least one. What takes long pauses in between, and then
 * looks again at what it had: no answer shows what its reader may not see at that moment (LOG-13, DEL-5).
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
      // What has gone once stays away: every round has less to render than the one before.
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
