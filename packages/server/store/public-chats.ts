// Public groups, which people find and join by themselves (PUBLIC-1 …), and those that new members are in (PUBLIC-9).
import { statement } from './sql.ts';

export const setVisibility = statement<never, [key: number, isPublic: number]>(
  // A private group is nobody's default.
  'UPDATE chats SET is_public = $2, is_default = is_default * $2 WHERE key = $1',
);
export const setPosting = statement<never, [key: number, managersPost: number]>(
  'UPDATE chats SET managers_post = $2 WHERE key = $1',
);

export interface PublicChatRow {
  key: number;
  id: Uint8Array;
  title: string | null;
  description: string | null;
  avatar_name: string | null;
  participant_count: number;
  is_default: number;
  /** 1 if the reader takes part. */
  joined: number;
}
/** A page of the public groups that have people, the newest first, before the position `key`. */
export const publicChats = statement<PublicChatRow, [reader: number, before: number, limit: number]>(
  `SELECT c.key, c.id, c.title, c.description, c.avatar_name, c.participant_count, c.is_default,
     CASE WHEN p.account_key IS NULL THEN 0 ELSE 1 END AS joined
   FROM chats c LEFT JOIN participants p ON p.chat_key = c.key AND p.account_key = $1
   WHERE c.is_public = 1 AND c.key < $2 AND c.participant_count > c.agent_count ORDER BY c.key DESC LIMIT $3`,
);
export const publicChatById = statement<
  { key: number; participant_count: number; agent_count: number },
  [id: Uint8Array]
>('SELECT key, participant_count, agent_count FROM chats WHERE id = $1 AND is_public = 1');

// Public ones only (`setVisibility`).
export const defaultChats = statement<{
  key: number;
  id: Uint8Array;
  participant_count: number;
  agent_count: number;
}>('SELECT key, id, participant_count, agent_count FROM chats WHERE is_default = 1 ORDER BY key');
export const endDefaults = statement<never>('UPDATE chats SET is_default = 0 WHERE is_default = 1');
export const makeDefault = statement<never, [key: number]>('UPDATE chats SET is_default = 1 WHERE key = $1');

export const noteRemoved = statement<never, [chat: number, account: number]>(
  `INSERT INTO removed_members (chat_key, account_key) VALUES ($1, $2)
   ON CONFLICT (chat_key, account_key) DO NOTHING`,
);
export const wasRemoved = statement<{ found: number }, [chat: number, account: number]>(
  'SELECT 1 AS found FROM removed_members WHERE chat_key = $1 AND account_key = $2',
);
export const forgetRemoved = statement<never, [chat: number, account: number]>(
  'DELETE FROM removed_members WHERE chat_key = $1 AND account_key = $2',
);
