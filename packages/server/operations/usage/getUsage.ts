import { isUuid, type Result } from '@parley/protocol';
import { read } from '../handler.ts';
import { decodeCursor, encodeCursor, notOurs } from '../../core/cursor.ts';
import { invalid } from '../../core/errors.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { dayOf, firstOfMonth } from '../../rules/usage-days.ts';
import { Slice } from '../../core/slices.ts';
import { accountByKey } from '../../store/accounts.ts';
import type { Sql } from '../../store/sql.ts';
import { pricesOfUsage, usageBehind, type UsageRow } from '../../store/usage.ts';

/** Maximum usage records, one per day, read per statement. */
const BLOCK = 1_000;
const EVERY_DAY = Number.MAX_SAFE_INTEGER;

/** The requested days, and the position after which the next page begins. */
interface Part {
  days: readonly [from: number, to: number];
  behind: readonly [agent: number, human: number, chatId: Uint8Array, day: number];
}
type Item = Result<'getUsage'>['items'][number];

export default read('getUsage', async ({ tx, caller, now }, { from, to, limit, cursor }) => {
  const part = cursor === undefined ? partOf(from, to, now) : partBehind(cursor);
  const rows = await rowsOf(tx, caller.key, part, limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const items: Item[] = [];
  for (const row of page) items.push(await itemOf(tx, caller.key, row, part.days));
  return {
    items,
    // Later pages use the days of the first page, even if a month has ended since.
    next_cursor: last && encodeCursor('usage', ...part.days, last.agent_key, last.human_key, idText(last.chat_id)),
  };
});

/** From the first day of the month, through today (USAGE-8). */
function partOf(from: string | undefined, to: string | undefined, now: number): Part {
  const last = dayOf(to === undefined ? now : Date.parse(to));
  const first = from === undefined ? firstOfMonth(last) : dayOf(Date.parse(from));
  if (first > last) throw invalid('from', 'is later than to');
  return { days: [first, last], behind: [0, 0, new Uint8Array(), 0] };
}

function partBehind(cursor: string): Part {
  const [first, last, agent, human, chatId] = decodeCursor('usage', cursor, [
    'number',
    'number',
    'number',
    'number',
    'string',
  ]);
  if (!isUuid(chatId)) throw notOurs();
  return { days: [first, last], behind: [agent, human, idBytes(chatId), EVERY_DAY] };
}

/**
 * Sums up the requested days until there are `most` sums. Reads records in blocks, because many of them may be of other
 * days (ERR-12).
 */
async function rowsOf(tx: Sql, ownerKey: number, { days, behind }: Part, most: number): Promise<UsageRow[]> {
  const found: UsageRow[] = [];
  const slice = new Slice();
  for (let place = behind; ; await slice.pause()) {
    const rows = await tx.all(usageBehind, ownerKey, ...place, ...days, BLOCK);
    for (const row of rows) {
      const before = found.at(-1);
      if (before && isSame(before, row)) addTo(before, row);
      else if (row.hits > 0) found.push(row);
    }
    const last = rows.at(-1);
    const isEnd = !last || rows.reduce((sum, row) => sum + row.days, 0) < BLOCK;
    // The last sum may be incomplete; only its existence matters, and all before it are complete.
    if (isEnd || found.length >= most) return found;
    place = [last.agent_key, last.human_key, last.chat_id, last.last_day];
  }
}

const isSame = (one: UsageRow, other: UsageRow): boolean =>
  one.agent_key === other.agent_key &&
  one.human_key === other.human_key &&
  idText(one.chat_id) === idText(other.chat_id);

function addTo(sum: UsageRow, more: UsageRow): void {
  sum.input_tokens += more.input_tokens;
  sum.output_tokens += more.output_tokens;
  sum.replies += more.replies;
  sum.owner_key_tokens += more.owner_key_tokens;
}

async function itemOf(tx: Sql, ownerKey: number, row: UsageRow, days: Part['days']): Promise<Item> {
  const agent = await tx.get(accountByKey, row.agent_key);
  const human = await tx.get(accountByKey, row.human_key);
  return {
    agent: agent?.username ?? '',
    username: human?.username ?? '',
    conversation_id: idText(row.chat_id),
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    owner_key_tokens: row.owner_key_tokens,
    replies: row.replies,
    prices: await tx.all(pricesOfUsage, ownerKey, row.agent_key, row.human_key, row.chat_id, ...days),
  };
}
