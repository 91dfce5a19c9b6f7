import { knownOf } from '../../access/known-agents.ts';
import { type ReadCall, read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { decodeCursor, encodeCursor, notOurs } from '../../core/cursor.ts';
import {
  accountByKey,
  type AccountRow,
  accountsByNames,
  accountsByUsername,
  endOfPrefix,
  listedAccountsByNames,
  namesByDisplayName,
  searchName,
} from '../../store/accounts.ts';
import { accountRecord } from '../../rendering/accounts.ts';
import { Slice } from '../../core/slices.ts';
import type { Sql } from '../../store/sql.ts';
import { searchAcquaintances, searchUsableAgents } from '../../people/acquaintances.ts';

/** Maximum names read per statement. */
const BLOCK = 1_000;

/**
 * With usernames: their accounts, in the given order. Otherwise a page of the accounts that the query finds; an empty
 * query finds every account that the caller could find with some query (ACCT-6, ACCT-8). With `usable_agents` only agents
 * with which the caller may start a chat (ACCT-13).
 */
export default read(
  'getUsers',
  async (call, { usernames, query = '', usable_agents: isOfAgents, limit, cursor }, rooms: Needs<'nameSearches'>) => {
    const { tx, caller, settings } = call;
    if (usernames) {
      // A list of usernames is answered without pages, so no cursor is valid for it.
      if (cursor !== undefined) throw notOurs();
      return { items: (await knownOf(call, await byNames(tx, usernames))).map(accountRecord) };
    }
    const search = { callerKey: caller.key, query: searchName(query), limit, cursor };
    const isAmongShared = settings.directory === 'shared' || caller.limitedUntil !== undefined;
    // A search may read the participants of all the caller's conversations, or the accounts of all backends' users, so each
    // owner may run only one at a time.
    return rooms.nameSearches.run(caller.ownerKey, async () => {
      if (isOfAgents === true) return pageOf(call, await searchUsableAgents(tx, { ...search, isOpen: !isAmongShared }));
      return isAmongShared ? pageOf(call, await searchAcquaintances(tx, search)) : findAny(call, search);
    });
  },
);

type Viewer = Pick<ReadCall, 'tx' | 'caller'>;
type Search = Parameters<typeof searchAcquaintances>[1];

async function pageOf(viewer: Viewer, { usernames, next }: { usernames: string[]; next: string | undefined }) {
  return { items: (await knownOf(viewer, await byNames(viewer.tx, usernames))).map(accountRecord), next_cursor: next };
}

async function findAny(viewer: Viewer, { query, limit, cursor }: Search) {
  const found = await byPrefix(viewer, query, limit + 1, cursor);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(({ row }) => accountRecord(row)),
    next_cursor: last && encodeCursor('users', last.by, last.row.key),
  };
}

async function byNames(
  tx: Sql,
  usernames: readonly string[],
  accounts: typeof accountsByNames = accountsByNames,
): Promise<AccountRow[]> {
  const wanted = [...new Set(usernames)];
  const found = new Map((await tx.list(accounts, wanted)).map((row) => [row.username, row]));
  return wanted.flatMap((name) => found.get(name) ?? []);
}

interface Found {
  /** Which name begins with the query. In a cursor: which part of the list continues after it. */
  by: 'username' | 'display_name';
  row: AccountRow;
}

/** First the accounts whose username begins with the query, then other accounts whose display name begins with it. */
async function byPrefix(viewer: Viewer, query: string, most: number, cursor: string | undefined): Promise<Found[]> {
  const after = cursor === undefined ? undefined : await placeOf(viewer.tx, cursor);
  const found: Found[] = [];
  if (after?.by !== 'display_name') {
    const rows = await byUsername(viewer, query, after?.row.username, most);
    found.push(...rows.map((row): Found => ({ by: 'username', row })));
  }
  // With an empty query the first part already contains all accounts.
  if (query === '' || found.length === most) return found;
  const [name, username] =
    after?.by === 'display_name' ? [searchName(after.row.display_name), after.row.username] : [query, ''];
  const others = await byDisplayName(viewer, query, { name, username }, most - found.length);
  return [...found, ...others.map((row): Found => ({ by: 'display_name', row }))];
}

/** Listed accounts whose username begins with the query. Reads in blocks, because nearly all may be unlisted. */
async function byUsername(
  viewer: Viewer,
  query: string,
  last: string | undefined,
  most: number,
): Promise<AccountRow[]> {
  const end = endOfPrefix(query);
  const found: AccountRow[] = [];
  const slice = new Slice();
  for (let after = last, block = most; ; block = BLOCK, await slice.pause()) {
    const rows = await viewer.tx.all(accountsByUsername, after ?? query, end, after ?? '', block);
    const listed = rows.filter(({ is_listed }) => is_listed === 1);
    found.push(...(await knownOf(viewer, listed)));
    after = rows.at(-1)?.username;
    if (found.length >= most || rows.length < block) return found.slice(0, most);
  }
}

/**
 * Listed accounts whose display name begins with the query, but whose username does not. Reads names in blocks, because
 * nearly all of a block may be skipped.
 */
async function byDisplayName(
  viewer: Viewer,
  query: string,
  { name, username }: { name: string; username: string },
  most: number,
): Promise<AccountRow[]> {
  const end = endOfPrefix(query);
  const found: AccountRow[] = [];
  const slice = new Slice();
  for (let after = { search_name: name, username }; ; await slice.pause()) {
    const names = await viewer.tx.all(namesByDisplayName, after.search_name, after.username, end, BLOCK);
    const others = names.filter((row) => !row.username.startsWith(query)).map((row) => row.username);
    found.push(...(await knownOf(viewer, await byNames(viewer.tx, others, listedAccountsByNames))));
    const last = names.at(-1);
    if (found.length >= most || !last || names.length < BLOCK) return found.slice(0, most);
    after = last;
  }
}

async function placeOf(tx: Sql, cursor: string): Promise<Found> {
  const [by, key] = decodeCursor('users', cursor, ['string', 'number']);
  const row = await tx.get(accountByKey, key);
  if (!row || (by !== 'username' && by !== 'display_name')) throw notOurs();
  return { by, row };
}
