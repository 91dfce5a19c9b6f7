import { decodeCursor, encodeCursor, notOurs } from '../core/cursor.ts';
import { Slice } from '../core/slices.ts';
import { accountByName, agentsOf, namesByKeys, namesOfUsableByKeys, publicAgents } from '../store/accounts.ts';
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

interface Named {
  username: string;
  search_name: string;
}

interface Page {
  usernames: string[];
  next: string | undefined;
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
export async function searchAcquaintances(tx: Sql, search: Search): Promise<Page> {
  return pageOf(search, acquaintances(tx, search));
}

/**
 * A search of the agents with which the caller may start a direct chat (ACCT-13): its own, those that share a conversation
 * with it, and with `isOpen` public ones of strangers.
 */
export async function searchUsableAgents(tx: Sql, search: Search & { isOpen: boolean }): Promise<Page> {
  return pageOf(search, usableAgents(tx, search));
}

async function pageOf({ query, limit, cursor }: Search, names: AsyncIterable<readonly Named[]>): Promise<Page> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const found: Match[] = [];
  for await (const block of names)
    for (const { username, search_name } of block) {
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

async function* acquaintances(tx: Sql, { callerKey, query }: Search): AsyncGenerator<Named[]> {
  const named = await tx.get(accountByName, query);
  const own = await tx.all(agentsOf, callerKey);
  const first = [callerKey, ...own.map(({ key }) => key), ...(named ? [named.key] : [])];
  for await (const keys of withCompanions(tx, callerKey, new Set(first))) yield await tx.list(namesByKeys, keys);
}

async function* usableAgents(tx: Sql, search: Search & { isOpen: boolean }): AsyncGenerator<Named[]> {
  const { callerKey, isOpen } = search;
  const seen = new Set((await tx.all(agentsOf, callerKey)).map(({ key }) => key));
  const slice = new Slice();
  for (let after = 0; isOpen; await slice.pause()) {
    const rows = await tx.all(publicAgents, after, BLOCK);
    for (const { key } of rows) seen.add(key);
    const last = rows.at(-1);
    if (!last || rows.length < BLOCK) break;
    after = last.key;
  }
  for await (const keys of withCompanions(tx, callerKey, seen))
    yield await tx.list(namesOfUsableByKeys, keys, callerKey);
}

/** These accounts and all that share a conversation with the caller: their keys, each once, in blocks. */
async function* withCompanions(tx: Sql, callerKey: number, seen: Set<number>): AsyncGenerator<number[]> {
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
