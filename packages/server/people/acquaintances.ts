import { decodeCursor, encodeCursor, notOurs } from '../core/cursor.ts';
import { Slice } from '../core/slices.ts';
import { accountByName, agentsOf, namesByKeys } from '../store/accounts.ts';
import { companionsOf } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';

/** Maximum participants read per statement: a statement takes about a millisecond of the main thread. */
const BLOCK = 1_000;

interface Search {
  callerKey: number;
  /** As normalized by `searchName`. */
  query: string;
  limit: number;
  cursor: string | undefined;
}

interface Match {
  by: 'username' | 'display_name';
  username: string;
}

/**
 * A search under `DIRECTORY=shared` (ACCT-8). It finds accounts that share a conversation with the caller, the caller
 * itself and its agents, and the account whose full username is the query. Matches of the username come first, then
 * matches of the display name. A cursor contains a username but reads nothing of that account, so a forged cursor
 * reveals nothing about strangers.
 */
export async function searchAcquaintances(
  tx: Sql,
  { callerKey, query, limit, cursor }: Search,
): Promise<{ usernames: string[]; next: string | undefined }> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const found: Match[] = [];
  for await (const keys of candidates(tx, callerKey, query))
    for (const { username, search_name } of await tx.list(namesByKeys, keys)) {
      const by = username.startsWith(query) ? 'username' : search_name.startsWith(query) ? 'display_name' : null;
      if (by !== null && (!after || compare({ by, username }, after) > 0)) found.push({ by, username });
    }
  found.sort(compare);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    usernames: page.map(({ username }) => username),
    next: last && encodeCursor('acquaintances', last.by, last.username),
  };
}

/** The keys of all accounts that the caller may find, each once, in blocks. */
async function* candidates(tx: Sql, callerKey: number, query: string): AsyncGenerator<number[]> {
  const named = await tx.get(accountByName, query);
  const own = await tx.all(agentsOf, callerKey);
  const seen = new Set([callerKey, ...own.map(({ key }) => key), ...(named ? [named.key] : [])]);
  yield [...seen];
  const slice = new Slice();
  for (let after = { chat_key: 0, account_key: 0 }; ; await slice.pause()) {
    const rows = await tx.all(companionsOf, callerKey, after.chat_key, after.account_key, BLOCK);
    const fresh = rows.map(({ account_key }) => account_key).filter((key) => !seen.has(key) && seen.add(key));
    if (fresh.length > 0) yield fresh;
    const last = rows.at(-1);
    if (!last || rows.length < BLOCK) return;
    after = last;
  }
}

/** Usernames before display names. Usernames are ASCII, so the open directory has the same order. */
const compare = (a: Match, b: Match): number =>
  a.by === b.by ? (a.username < b.username ? -1 : Number(a.username > b.username)) : a.by === 'username' ? -1 : 1;

function readCursor(cursor: string): Match {
  const [by, username] = decodeCursor('acquaintances', cursor, ['string', 'string']);
  if (by !== 'username' && by !== 'display_name') throw notOurs();
  return { by, username };
}
