import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { type Statement, statement } from './sql.ts';
import { countedWrongly } from './stored-bytes.ts';
import { references } from './tables/index.ts';

type Count = Statement<{ count: number }, []>;
const countOf = (sql: string): Count => statement<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`);

function dangling({ table, column, to }: (typeof references)[number]): Count {
  const { table: other, key = 'key', none } = to;
  const names = none === undefined ? '' : `t.${column} ${none === null ? 'IS NOT NULL' : `<> ${none}`} AND `;
  return countOf(`${table} t WHERE ${names}NOT EXISTS (SELECT 1 FROM ${other} o WHERE o.${key} = t.${column})`);
}

/** Faults that must never occur: dangling references, and stored counts that differ from the rows. */
export const faults: Readonly<Record<string, Count>> = {
  ...Object.fromEntries(references.map((reference) => [reference.to.what, dangling(reference)])),
  'open replies without their stream': countOf(
    `messages m WHERE status = 'streaming' AND NOT EXISTS (SELECT 1 FROM streams s WHERE s.message_key = m.key)`,
  ),
  'conversations that count their participants wrongly': countOf(
    `chats c WHERE participant_count <> (SELECT count(*) FROM participants p WHERE p.chat_key = c.key)`,
  ),
  'conversations that count their agents wrongly': countOf(
    `chats c WHERE agent_count <> (SELECT count(*) FROM participants p JOIN accounts a ON a.key = p.account_key
       WHERE p.chat_key = c.key AND a.kind = 'agent')`,
  ),
  'files that count their messages wrongly': countOf(
    `files f WHERE uses <> (SELECT count(*) FROM message_files u WHERE u.file_key = f.key)
       + (SELECT count(*) FROM scheduled_files l WHERE l.file_key = f.key)
       + (SELECT count(*) FROM agent_sources s WHERE s.file_key = f.key)`,
  ),
  'owners whose stored bytes are counted wrongly': countOf(countedWrongly),
  'index entries without their event': countOf(
    'events_by_scope i WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.seq = i.seq)',
  ),
};

export const counts = {
  // Without the account of the service itself.
  accounts: countOf(`accounts WHERE kind = 'human' AND deleted_at IS NULL AND username <> '${RESERVED_WORD}'`),
  'of these disabled': countOf('accounts WHERE disabled_at IS NOT NULL'),
  agents: countOf("accounts WHERE kind = 'agent' AND deleted_at IS NULL"),
  sessions: countOf('sessions'),
  conversations: countOf('chats'),
  messages: countOf('messages WHERE deleted_at IS NULL'),
  'open replies': countOf('streams'),
  files: countOf('files'),
  events: countOf('events'),
} as const;
