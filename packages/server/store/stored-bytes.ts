// The bytes that a person and their bots store in messages and files. One row per person, updated with each change
// (LIMIT-22).

import { statement } from './sql.ts';

const ownerOf = '(SELECT COALESCE(parent_key, key) FROM accounts WHERE key = $1)';

/** Bytes that an account, its owner and that owner's other bots have stored. */
export const storedBy = statement<{ bytes: number }, [account: number]>(
  `SELECT bytes FROM stored_bytes WHERE owner_key = ${ownerOf}`,
);
/** Adds the bytes of a new message. The owner is a person: see `ownerKey` of a caller. */
export const growStored = statement<never, [owner: number, bytes: number]>(
  `INSERT INTO stored_bytes (owner_key, bytes) VALUES ($1, $2)
   ON CONFLICT (owner_key) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes`,
);
/** Never below 0: nodes of an older version that run at the same time do not count everything that they store. */
export const addStored = statement<never, [account: number, bytes: number]>(
  `INSERT INTO stored_bytes (owner_key, bytes)
   VALUES (${ownerOf}, CASE WHEN CAST($2 AS BIGINT) > 0 THEN CAST($2 AS BIGINT) ELSE 0 END)
   ON CONFLICT (owner_key) DO UPDATE
   SET bytes = CASE WHEN stored_bytes.bytes + $2 > 0 THEN stored_bytes.bytes + $2 ELSE 0 END`,
);

/** Makes the bytes of an account those of another one, which has none. */
export const moveStored = statement<never, [from: number, to: number]>(
  'UPDATE stored_bytes SET owner_key = $2 WHERE owner_key = $1',
);

const sum = 'COALESCE(files.bytes, 0) + COALESCE(said.bytes, 0) + COALESCE(later.bytes, 0) + COALESCE(read.bytes, 0)';
/** SQL: owners (`o`) whose count (`s`) differs from the sum of their files, messages with decisions (`said`), messages to be sent (`later`) and texts of libraries (`read`). */
export const countedWrongly = `accounts o LEFT JOIN stored_bytes s ON s.owner_key = o.key
   LEFT JOIN (SELECT COALESCE(a.parent_key, a.key) AS owner_key, sum(f.size + f.thumbnail_size + 4096) AS bytes
     FROM files f JOIN accounts a ON a.key = f.account_key GROUP BY COALESCE(a.parent_key, a.key)) files
     ON files.owner_key = o.key
   LEFT JOIN (SELECT COALESCE(a.parent_key, a.key) AS owner_key, sum(octet_length(m.record) + COALESCE(octet_length(d.value), 0)) AS bytes
     FROM messages m JOIN accounts a ON a.key = m.sender_key LEFT JOIN decisions d ON d.message_key = m.key
     WHERE m.deleted_at IS NULL AND m.status <> 'streaming' GROUP BY COALESCE(a.parent_key, a.key)) said
     ON said.owner_key = o.key
   LEFT JOIN (SELECT account_key, sum(octet_length(input)) AS bytes FROM scheduled GROUP BY account_key) later
     ON later.account_key = o.key
   LEFT JOIN (SELECT a.parent_key AS owner_key, sum(l.bytes) AS bytes
     FROM agent_sources l JOIN accounts a ON a.key = l.agent_key GROUP BY a.parent_key) read ON read.owner_key = o.key
   WHERE COALESCE(s.bytes, 0) <> ${sum}`;
/** Corrects wrong counts, and returns their number. Reads every message. */
export const recountStored = statement(
  `INSERT INTO stored_bytes (owner_key, bytes)
   SELECT o.key, ${sum} FROM ${countedWrongly}
   ON CONFLICT (owner_key) DO UPDATE SET bytes = excluded.bytes`,
);

/** Open replies of all agents of an owner. */
export const countOpenReplies = statement<{ count: number }, [owner: number]>(
  `SELECT count(*) AS count FROM streams s JOIN accounts a ON a.key = s.agent_key
   WHERE a.parent_key = $1`,
);
