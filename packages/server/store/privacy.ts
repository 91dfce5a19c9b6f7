// What people share with others: read receipts, and when they were last seen.
import type { Privacy } from '@parley/protocol';
import { type Sql, statement } from './sql.ts';

interface PrivacyRow {
  read_receipts: number;
  last_seen: number;
}

const privacyRow = statement<PrivacyRow, [account: number]>(
  'SELECT read_receipts, last_seen FROM privacy WHERE account_key = $1',
);
const putPrivacy = statement<never, [account: number, readReceipts: number, lastSeen: number]>(
  `INSERT INTO privacy (account_key, read_receipts, last_seen) VALUES ($1, $2, $3)
   ON CONFLICT (account_key) DO UPDATE SET read_receipts = excluded.read_receipts, last_seen = excluded.last_seen`,
);

/** An account that has set nothing shares everything (READ-2). */
export async function privacyOf(tx: Sql, accountKey: number): Promise<Privacy> {
  const { read_receipts, last_seen } = (await tx.get(privacyRow, accountKey)) ?? { read_receipts: 1, last_seen: 1 };
  return { read_receipts: read_receipts === 1, last_seen: last_seen === 1 };
}

export const setPrivacyOf = async (tx: Sql, accountKey: number, privacy: Privacy): Promise<unknown> =>
  tx.run(putPrivacy, accountKey, Number(privacy.read_receipts), Number(privacy.last_seen));
