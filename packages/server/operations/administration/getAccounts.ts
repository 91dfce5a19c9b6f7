// What administrators do with accounts of others, and how people come in.
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { Slice } from '../../core/slices.ts';
import { accountRecord } from '../../rendering/accounts.ts';
import { lastSeenOf, peopleAfter, type PersonState } from '../../store/account-roles.ts';
import { type AccountRow, searchName } from '../../store/accounts.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** Maximum people read per statement, if their names are compared: nearly all may be left out. */
const BLOCK = 500;

/** A query reads the names of all people, so each owner runs one at a time, as in browseChats. */
export default read(
  'getAccounts',
  async (
    { tx, caller },
    { query = '', role, disabled, pending, limit, cursor },
    { nameSearches }: Needs<'nameSearches'>,
  ) => {
    const sought = searchName(query);
    const states: PersonState[] = [];
    if (disabled !== undefined) states.push(disabled ? 'disabled' : 'enabled');
    if (pending !== undefined) states.push(pending ? 'pending' : 'approved');
    const [start] = cursor === undefined ? [''] : decodeCursor('accounts', cursor, ['string']);
    const blockOf = sought === '' ? limit + 1 : BLOCK;
    const found = await nameSearches.run(caller.ownerKey, async () => {
      const rows: AccountRow[] = [];
      const slice = new Slice();
      for (let after = start; ; await slice.pause()) {
        const block = await peopleAfter(tx, { role, states }, [after, blockOf]);
        rows.push(...block.filter((row) => isFound(row, sought)));
        const last = block.at(-1);
        if (!last || block.length < blockOf || rows.length > limit) return rows;
        after = last.username;
      }
    });
    const page = found.slice(0, limit);
    const seen = await tx.list(
      lastSeenOf,
      page.map(({ key }) => key),
    );
    const seenAt = new Map(seen.map((row) => [row.account_key, row.last_seen_at]));
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map((row) => recordOf(row, seenAt.get(row.key))),
      next_cursor: last && encodeCursor('accounts', last.username),
    };
  },
);

const isFound = ({ username, display_name }: AccountRow, sought: string): boolean =>
  sought === '' || username.startsWith(sought) || ` ${searchName(display_name)}`.includes(` ${sought}`);

const recordOf = (row: AccountRow, lastSeenAt: number | undefined) => ({
  ...accountRecord(row),
  role: row.role,
  disabled: row.disabled_at !== null,
  ...(row.pending === 1 && { pending: true as const }),
  ...(lastSeenAt !== undefined && { last_seen_at: new Date(lastSeenAt).toISOString() }),
});
