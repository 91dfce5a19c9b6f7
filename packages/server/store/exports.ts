// Statements of a data export, which reads in pages (EXPORT-2).
import { statement } from './sql.ts';

/** The conversations of an account, by key. */
export const placesOf = statement<
  {
    key: number;
    id: Uint8Array;
    kind: 'direct' | 'group';
    title: string | null;
    role: string;
    is_muted: number;
    muted_until: number | null;
    joined_at: number;
    read_id: Uint8Array | null;
    pin_order: number | null;
    archived_key: number | null;
    is_marked_unread: number;
    folder: string | null;
    cleared_id: Uint8Array | null;
  },
  [account: number, after: number, limit: number]
>(
  `SELECT c.key, c.id, c.kind, c.title, p.role, p.is_muted, p.muted_until, p.joined_at, m.id AS read_id,
     p.pin_order, p.archived_key, p.is_marked_unread, f.name AS folder, d.id AS cleared_id
   FROM participants p JOIN chats c ON c.key = p.chat_key LEFT JOIN messages m ON m.key = p.read_key
   LEFT JOIN messages d ON d.key = p.cleared_key
   LEFT JOIN folders f ON f.account_key = p.account_key AND f.id = p.folder_id
   WHERE p.account_key = $1 AND p.chat_key > $2 ORDER BY p.chat_key LIMIT $3`,
);

/** No index leads to the messages of one sender, so an export scans all messages, a range of keys at a time. */
export const ownMessages = statement<{ key: number }, [after: number, through: number, account: number]>(
  `SELECT m.key FROM messages m WHERE m.key > $1 AND m.key <= $2 AND m.sender_key = $3
   AND m.deleted_at IS NULL ORDER BY m.key`,
);
export const ownReactions = statement<
  { id: Uint8Array; emoji: string; created_at: number },
  [after: number, through: number, account: number]
>(
  `SELECT m.id, r.emoji, r.created_at FROM reactions r JOIN messages m ON m.key = r.message_key
   WHERE r.message_key > $1 AND r.message_key <= $2 AND r.account_key = $3 ORDER BY r.message_key, r.emoji`,
);
export const ownVotes = statement<
  { id: Uint8Array; options: number; voted_at: number },
  [after: number, through: number, account: number]
>(
  `SELECT m.id, v.options, v.voted_at FROM poll_votes v JOIN messages m ON m.key = v.message_key
   WHERE v.message_key > $1 AND v.message_key <= $2 AND v.account_key = $3 ORDER BY v.message_key`,
);
/** Decisions that may be the account's: their values say who has decided. */
export const decidedBy = statement<{ id: Uint8Array; value: string }, [after: number, through: number, name: string]>(
  `SELECT m.id, d.value FROM decisions d JOIN messages m ON m.key = d.message_key
   WHERE d.message_key > $1 AND d.message_key <= $2 AND d.state = 'decided'
     AND d.value LIKE '%"decided_by":"' || CAST($3 AS TEXT) || '"%' ORDER BY d.message_key`,
);
export const lastMessage = statement<{ key: number | null }>('SELECT max(key) AS key FROM messages');

/** The settings that an account has for agents, both its own agents and others'. */
export const overridesOf = statement<{ agent: string; config: string }, [account: number]>(
  `SELECT a.username AS agent, o.config FROM agent_overrides o JOIN accounts a ON a.key = o.agent_key
   WHERE o.account_key = $1 ORDER BY o.agent_key`,
);
/** The last characters of an account's secrets. */
export const tailsOf = statement<{ agent: string; field: string; tail: string }, [account: number]>(
  `SELECT a.username AS agent, s.field, s.tail FROM (
     SELECT agent_key, account_key, field, tail FROM agent_secrets
     UNION ALL SELECT agent_key, account_key, field, tail FROM override_secrets) s
   JOIN accounts a ON a.key = s.agent_key WHERE s.account_key = $1 ORDER BY s.agent_key, s.field`,
);
/**
 * An account's uploads. No index leads to files in messages, so an export scans all files, a range of keys at a time.
 */
export const ownFiles = statement<
  { id: Uint8Array; created_at: number },
  [after: number, through: number, account: number]
>('SELECT id, created_at FROM files WHERE key > $1 AND key <= $2 AND account_key = $3 ORDER BY key');
export const lastFile = statement<{ key: number | null }>('SELECT max(key) AS key FROM files');

/** Messages that an account has hidden for itself, by their key. */
export const hiddenBy = statement<{ key: number; id: Uint8Array }, [account: number, after: number, limit: number]>(
  `SELECT m.key, m.id FROM hidden h JOIN messages m ON m.key = h.message_key
   WHERE h.account_key = $1 AND h.message_key > $2 ORDER BY h.message_key LIMIT $3`,
);
/** The devices that receive pushes; the tokens themselves do not leave the service. */
export const pushDevicesOf = statement<
  { platform: string; locale: string | null; registered_at: number },
  [account: number]
>('SELECT platform, locale, registered_at FROM push_tokens WHERE account_key = $1 ORDER BY key');

interface UsageLine {
  agent_key: number;
  human_key: number;
  chat_id: Uint8Array;
  day: number;
  agent: string;
  username: string;
  input_tokens: number;
  output_tokens: number;
  replies: number;
  owner_key_tokens: number;
}
/** The usage records of an owner, in the order of their primary key. */
export const usageLines = statement<
  UsageLine,
  [owner: number, agent: number, human: number, chatId: Uint8Array, day: number, limit: number]
>(
  `SELECT u.agent_key, u.human_key, u.chat_id, u.day, a.username AS agent, h.username, u.input_tokens, u.output_tokens,
     u.replies, u.owner_key_tokens
   FROM usage u JOIN accounts a ON a.key = u.agent_key JOIN accounts h ON h.key = u.human_key
   WHERE u.owner_key = $1 AND (u.agent_key, u.human_key, u.chat_id, u.day) > ($2, $3, $4, $5)
   ORDER BY u.agent_key, u.human_key, u.chat_id, u.day LIMIT $6`,
);
/** The channels of a conversation that the account has muted. */
export const mutedChannels = statement<{ title: string; muted_until: number | null }, [account: number, chat: number]>(
  `SELECT c.title, q.muted_until FROM channel_mutes q JOIN channels c ON c.key = q.channel_key AND c.deleted_at IS NULL
   WHERE q.account_key = $1 AND q.chat_key = $2 AND (q.muted_until IS NULL OR q.muted_until > 0) ORDER BY c.key`,
);
