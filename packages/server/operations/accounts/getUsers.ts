import { read } from '../../call.ts';
import { decodeCursor, encodeCursor, notOurs } from '../../cursor.ts';
import {
  accountByKey,
  accountRecord,
  type AccountRow,
  accountsByDisplayName,
  accountsByNames,
  accountsByUsername,
  endOfPrefix,
  searchName,
} from '../../store/accounts.ts';
import type { Sql } from '../../store/sql.ts';

/** The accounts of these names in their order, or a page of those that a query finds; of all without either (ACCT-6). */
export default read('getUsers', async ({ tx }, { usernames, query = '', limit, cursor }) => {
  if (usernames) {
    // Names are answered all at once: no such list has a cursor.
    if (cursor !== undefined) throw notOurs();
    return { items: (await byNames(tx, usernames)).map(accountRecord) };
  }
  const found = await byPrefix(tx, searchName(query), limit + 1, cursor);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(({ row }) => accountRecord(row)),
    next_cursor: last && encodeCursor('users', last.by, last.row.key),
  };
});

async function byNames(tx: Sql, usernames: readonly string[]): Promise<AccountRow[]> {
  const wanted = [...new Set(usernames)];
  const found = new Map((await tx.list(accountsByNames, wanted)).map((row) => [row.username, row]));
  return wanted.flatMap((name) => found.get(name) ?? []);
}

interface Found {
  /** What of the account begins with the query; also the part of the list that a cursor points into. */
  by: 'username' | 'display_name';
  row: AccountRow;
}

/** First everyone whose username begins with the query, then everyone else whose display name does. */
async function byPrefix(tx: Sql, query: string, most: number, cursor: string | undefined): Promise<Found[]> {
  const after = cursor === undefined ? undefined : await placeOf(tx, cursor);
  const end = endOfPrefix(query);
  const found: Found[] = [];
  if (after?.by !== 'display_name') {
    const rows = await tx.all(accountsByUsername, query, end, after?.row.username ?? '', most);
    found.push(...rows.map((row): Found => ({ by: 'username', row })));
  }
  // Everybody's username begins with nothing.
  if (query === '' || found.length === most) return found;
  const [name, username] =
    after?.by === 'display_name' ? [searchName(after.row.display_name), after.row.username] : ['', ''];
  const rows = await tx.all(accountsByDisplayName, query, end, name, username, most - found.length);
  return [...found, ...rows.map((row): Found => ({ by: 'display_name', row }))];
}

async function placeOf(tx: Sql, cursor: string): Promise<Found> {
  const [by, key] = decodeCursor('users', cursor, ['string', 'number']);
  const row = await tx.get(accountByKey, key);
  if (!row || (by !== 'username' && by !== 'display_name')) throw notOurs();
  return { by, row };
}
