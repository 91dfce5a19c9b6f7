import { bestRank, nameRanker } from '@parley/protocol';
import { Slice } from '../core/slices.ts';
import { type NamedChatRow, namedChats } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';

/** Maximum conversations read per statement: a statement takes about a millisecond of the main thread. */
const BLOCK = 250;

interface Match extends Pick<NamedChatRow, 'key' | 'updated_at'> {
  rank: number;
}

/**
 * The account's conversations whose name matches the query, at most `limit`: the best match first, among equal ones the
 * newest activity (SEARCH-16, SEARCH-17). `within` are the only conversations that an access token has. Reads the names of all of the account's conversations, in slices.
 */
export async function chatsByName(
  tx: Sql,
  accountKey: number,
  { query, limit, within }: { query: string; limit: number; within?: ReadonlySet<number> | undefined },
): Promise<Match[]> {
  const rankOf = nameRanker(query);
  const slice = new Slice();
  let found: Match[] = [];
  for (let after = 0; ; await slice.pause()) {
    const rows = await tx.all(namedChats, accountKey, after, BLOCK);
    for (const row of rows) {
      if (within && !within.has(row.key)) continue;
      const rank = bestRank(rankOf, namesOf(row));
      if (rank !== null) found.push({ key: row.key, updated_at: row.updated_at, rank });
    }
    found = found.toSorted(compare).slice(0, limit);
    const last = rows.at(-1);
    if (!last || rows.length < BLOCK) return found;
    after = last.key;
  }
}

const namesOf = ({ title, display_name, username }: NamedChatRow): string[] =>
  [title, display_name, username].filter((name) => name !== null);

const compare = (a: Match, b: Match): number => a.rank - b.rank || b.updated_at - a.updated_at || b.key - a.key;
