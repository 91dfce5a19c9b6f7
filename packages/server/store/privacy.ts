// What people share with others, and whether they want previews of links.
import type { Privacy } from '@parley/protocol';
import { type Sql, statement } from './sql.ts';

type PrivacyRow = Record<keyof Privacy, number>;

const privacyRow = statement<PrivacyRow, [account: number]>(
  'SELECT read_receipts, last_seen, link_previews FROM privacy WHERE account_key = $1',
);
const putPrivacy = statement<never, [account: number, readReceipts: number, lastSeen: number, linkPreviews: number]>(
  `INSERT INTO privacy (account_key, read_receipts, last_seen, link_previews) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_key) DO UPDATE SET read_receipts = excluded.read_receipts, last_seen = excluded.last_seen,
     link_previews = excluded.link_previews`,
);

const unset: PrivacyRow = { read_receipts: 1, last_seen: 1, link_previews: 1 };

/** For an account that has set nothing, everything is on (READ-2). */
export async function privacyOf(tx: Sql, accountKey: number): Promise<Privacy> {
  const { read_receipts, last_seen, link_previews } = (await tx.get(privacyRow, accountKey)) ?? unset;
  return { read_receipts: read_receipts === 1, last_seen: last_seen === 1, link_previews: link_previews === 1 };
}

export const setPrivacyOf = async (
  tx: Sql,
  accountKey: number,
  { read_receipts, last_seen, link_previews }: Privacy,
): Promise<unknown> => tx.run(putPrivacy, accountKey, Number(read_receipts), Number(last_seen), Number(link_previews));
