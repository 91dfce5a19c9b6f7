import { WEBHOOK_PROVIDER } from './accounts.ts';
import { statement } from './sql.ts';

export type Role = 'owner' | 'admin' | 'member';

export interface ChatRow {
  key: number;
  id: Uint8Array;
  kind: 'direct' | 'group';
  title: string | null;
  /** Where the title of a separate chat comes from; null without one. */
  titled_by: 'question' | 'asked' | 'agent' | 'human' | null;
  /** The messages from which a model has made the title; null for other titles. */
  title_question_key: number | null;
  title_reply_key: number | null;
  /** 1 in a separate chat (NEWCHAT-1). */
  is_separate: number;
  description: string | null;
  /** Of a group with a picture (GROUP-16). */
  avatar_name: string | null;
  /** 1 in a group that people find and join by themselves (PUBLIC-1). */
  is_public: number;
  /** 1 in a group in which only owner and admins write (POST-1). */
  managers_post: number;
  agent_count: number;
  participant_count: number;
  created_at: number;
  updated_at: number;
  /** 1 if a participant may have a push token (PUSH-14). */
  may_push: number;
}

/** A conversation, with the reader's role in it and what the reader keeps about it. */
export interface OwnChatRow extends ChatRow {
  role: Role;
  is_muted: number;
  muted_until: number | null;
  read_key: number;
  /** Null if the reader has not pinned it. */
  pin_order: number | null;
  /** The newest message when the reader archived it, 0 for none; null if it is not archived. */
  archived_key: number | null;
  is_marked_unread: number;
  folder_id: Uint8Array | null;
  /** Messages up to this one are hidden from the reader (CHATSTATE-9). */
  cleared_key: number;
  /** 1 if somebody else has added the reader, who has not written there since. */
  was_added: number;
}

const isSeparate = 'CASE WHEN c.separate_pair IS NULL THEN 0 ELSE 1 END AS is_separate';
const chatColumns = `c.key, c.id, c.kind, c.title, c.titled_by, c.title_question_key, c.title_reply_key,
  ${isSeparate}, c.description, c.avatar_name, c.is_public, c.managers_post, c.agent_count, c.participant_count,
  c.created_at, c.updated_at, c.may_push`;
const ownColumns = `${chatColumns}, p.role, p.is_muted, p.muted_until, p.read_key, p.pin_order, p.archived_key,
  p.is_marked_unread, p.folder_id, p.cleared_key, p.was_added`;

export const chatForAccount = statement<
  Omit<OwnChatRow, 'role'> & { role: Role | null },
  [id: Uint8Array, account: number]
>(
  `SELECT ${ownColumns} FROM chats c LEFT JOIN participants p ON p.chat_key = c.key AND p.account_key = $2 WHERE c.id = $1`,
);
/** What a sender must know of a conversation: few columns, because this is the most frequent read of all. */
export interface ChatToSend extends Pick<
  OwnChatRow,
  'key' | 'id' | 'kind' | 'title' | 'is_separate' | 'managers_post' | 'agent_count' | 'may_push' | 'role' | 'was_added'
> {
  /** The message that the sender already sent there with this `client_msg_id` (MSG-4). */
  sent_key: number | null;
  /** Bytes that the sender's owner and all of the owner's bots have stored. */
  stored: number;
}
export const chatToSend = statement<
  Omit<ChatToSend, 'role'> & { role: Role | null },
  [id: Uint8Array, account: number, clientMsgId: string | null, owner: number]
>(
  `SELECT c.key, c.id, c.kind, c.title, ${isSeparate}, c.managers_post, c.agent_count, c.may_push, p.role,
     p.was_added, m.key AS sent_key,
     coalesce((SELECT bytes FROM stored_bytes WHERE owner_key = $4), 0) AS stored FROM chats c
   LEFT JOIN participants p ON p.chat_key = c.key AND p.account_key = $2
   LEFT JOIN messages m ON m.client_msg_id = $3 AND m.sender_key = $2 AND m.chat_key = c.key WHERE c.id = $1`,
);
export const ownChatByKey = statement<OwnChatRow, [key: number, account: number]>(
  `SELECT ${ownColumns} FROM chats c JOIN participants p ON p.chat_key = c.key AND p.account_key = $2 WHERE c.key = $1`,
);
const ownChatsWith = (condition: string) =>
  statement<OwnChatRow, [account: number, updatedAt: number, key: number, limit: number]>(
    `SELECT ${ownColumns} FROM participants p JOIN chats c ON c.key = p.chat_key
     WHERE p.account_key = $1 ${condition} AND (c.updated_at, c.key) < ($2, $3)
     ORDER BY c.updated_at DESC, c.key DESC LIMIT $4`,
  );
/** A page of conversations, newest activity first, after the position (updated_at, key). */
export const ownChats = ownChatsWith('');
/** Like `ownChats`, of the conversations that the account has pinned. */
export const pinnedChats = ownChatsWith('AND p.pin_order IS NOT NULL');
/** The conversations that are sent a change of an account: the newest first, separate chats after all others. */
export const chatsToNotify = statement<{ key: number }, [account: number, limit: number]>(
  `SELECT c.key FROM participants p JOIN chats c ON c.key = p.chat_key WHERE p.account_key = $1
   ORDER BY CASE WHEN c.separate_pair IS NULL THEN 0 ELSE 1 END, c.updated_at DESC, c.key DESC LIMIT $2`,
);
export const chatByKey = statement<ChatRow, [key: number]>(`SELECT ${chatColumns} FROM chats c WHERE c.key = $1`);
export const directChat = statement<{ key: number }, [pair: string]>('SELECT key FROM chats WHERE direct_pair = $1');
/** The newest separate chat of a pair, and whether it has a message or a title (NEWCHAT-3). */
export const newestSeparateChat = statement<{ key: number; is_used: number }, [pair: string]>(
  `SELECT c.key, CASE WHEN c.title IS NOT NULL OR EXISTS (
     SELECT 1 FROM messages m WHERE m.chat_key = c.key AND m.deleted_at IS NULL) THEN 1 ELSE 0 END AS is_used
   FROM chats c WHERE c.separate_pair = $1 ORDER BY c.key DESC LIMIT 1`,
);
export const countSeparateChats = statement<{ count: number }, [pair: string]>(
  'SELECT count(*) AS count FROM chats WHERE separate_pair = $1',
);
export const insertChat = statement<
  { key: number },
  [
    id: Uint8Array,
    kind: string,
    title: string | null,
    directPair: string | null,
    separatePair: string | null,
    now: number,
  ]
>(
  `INSERT INTO chats (id, kind, title, direct_pair, separate_pair, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (direct_pair) DO NOTHING RETURNING key`,
);
export const touchChat = statement<never, [key: number, now: number]>(
  'UPDATE chats SET updated_at = $2 WHERE key = $1 AND updated_at < $2',
);
export const setTitle = statement<never, [key: number, title: string]>('UPDATE chats SET title = $2 WHERE key = $1');
/** The title that a separate chat without one gets from its first question (TITLE-1). */
export const titleByQuestion = statement<never, [key: number, title: string]>(
  `UPDATE chats SET title = $2, titled_by = 'question' WHERE key = $1 AND title IS NULL`,
);
/** The title of an edited question (TITLE-9): the model may be asked again. */
export const retitle = statement<never, [key: number, title: string]>(
  `UPDATE chats SET title = $2, titled_by = 'question', title_question_key = NULL, title_reply_key = NULL
   WHERE key = $1`,
);
/** Notes that the model is asked for a better title; changes nothing if it was asked before (TITLE-4). */
export const askForTitle = statement<never, [key: number]>(
  `UPDATE chats SET titled_by = 'asked' WHERE key = $1 AND titled_by = 'question'`,
);
/** The title that the model has made, unless somebody has changed it since it was asked (TITLE-7). */
export const titleByModel = statement<never, [key: number, title: string, question: number, reply: number]>(
  `UPDATE chats SET title = $2, titled_by = 'agent', title_question_key = $3, title_reply_key = $4 WHERE key = $1 AND titled_by = 'asked'`,
);
export const titleByHand = statement<never, [key: number, title: string, by: 'agent' | 'human']>(
  'UPDATE chats SET title = $2, titled_by = $3, title_question_key = NULL, title_reply_key = NULL WHERE key = $1',
);
export const dropTitle = statement<never, [key: number]>(
  'UPDATE chats SET title = NULL, titled_by = NULL, title_question_key = NULL, title_reply_key = NULL WHERE key = $1',
);
const titledSeparateChats = `title IS NOT NULL AND separate_pair IS NOT NULL
  AND key IN (SELECT chat_key FROM participants WHERE account_key = $1)`;
/** The titled separate chats of a person with bots. */
export const titledChatsWithBots = statement<{ key: number; id: Uint8Array }, [person: number]>(
  `SELECT key, id FROM chats WHERE ${titledSeparateChats} AND EXISTS (
     SELECT 1 FROM participants p JOIN accounts a ON a.key = p.account_key
     WHERE p.chat_key = chats.key AND a.kind = 'agent' AND a.agent_provider IS NULL AND a.deleted_at IS NULL)`,
);
/** Deletes the titles of all separate chats of a person (NEWCHAT-8). */
export const dropTitlesOf = statement<never, [person: number]>(
  `UPDATE chats SET title = NULL, titled_by = NULL WHERE ${titledSeparateChats}`,
);
/** A deleted separate chat does not count among those of its pair (NEWCHAT-4). */
export const endSeparateChat = statement<never, [key: number]>(
  'UPDATE chats SET title = NULL, titled_by = NULL, separate_pair = NULL WHERE key = $1',
);
export const setDescription = statement<never, [key: number, description: string | null]>(
  'UPDATE chats SET description = $2 WHERE key = $1',
);
export const putGroupAvatar = statement<never, [key: number, name: string | null, size: number | null]>(
  'UPDATE chats SET avatar_name = $2, avatar_size = $3 WHERE key = $1',
);
export const countParticipants = statement<never, [key: number, participants: number, agents: number]>(
  'UPDATE chats SET participant_count = participant_count + $2, agent_count = agent_count + $3 WHERE key = $1',
);

export interface ParticipantRow {
  account_key: number;
  username: string;
  kind: 'human' | 'agent';
  display_name: string;
  role: Role;
  parent_key: number | null;
  agent_provider: string | null;
  /** null if there is no setting. */
  always_on: number | null;
  /** Since when the agent follows threads; null if it does not. */
  follows_from: number | null;
}

const participantColumns = `p.account_key, a.username, a.kind, a.display_name, p.role, a.parent_key, a.agent_provider,
  p.always_on, p.follows_from FROM participants p JOIN accounts a ON a.key = p.account_key`;

export const participantsAfter = statement<ParticipantRow, [chat: number, after: number, limit: number]>(
  `SELECT ${participantColumns} WHERE p.chat_key = $1 AND p.account_key > $2 ORDER BY p.account_key LIMIT $3`,
);
export const participantsOf = statement<ParticipantRow, [chat: number]>(
  `SELECT ${participantColumns} WHERE p.chat_key = $1 ORDER BY p.account_key`,
);
export const peopleOf = statement<{ account_key: number }, [chat: number]>(
  `SELECT p.account_key FROM participants p JOIN accounts a ON a.key = p.account_key
   WHERE p.chat_key = $1 AND a.kind = 'human'`,
);
/** The agents that can answer in a conversation. */
export const agentParticipants = statement<ParticipantRow, [chat: number]>(
  // A deleted bot stays a participant of its direct chats, for their history, but is never fired; nor is a webhook.
  `SELECT ${participantColumns} WHERE p.chat_key = $1 AND a.kind = 'agent' AND a.deleted_at IS NULL
     AND coalesce(a.agent_provider, '') <> '${WEBHOOK_PROVIDER}' ORDER BY p.account_key`,
);
/** Those of them that a message fires: the agents of a disabled owner rest (ROLE-10). */
export const fireableAgents = statement<ParticipantRow, [chat: number]>(
  `SELECT ${participantColumns} WHERE p.chat_key = $1 AND a.kind = 'agent' AND a.deleted_at IS NULL
     AND coalesce(a.agent_provider, '') <> '${WEBHOOK_PROVIDER}'
     AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.key = a.parent_key AND o.disabled_at IS NOT NULL)
   ORDER BY p.account_key`,
);
export const participant = statement<ParticipantRow, [chat: number, account: number]>(
  `SELECT ${participantColumns} WHERE p.chat_key = $1 AND p.account_key = $2`,
);
export const isParticipant = statement<{ found: number }, [chat: number, account: number]>(
  'SELECT 1 AS found FROM participants WHERE chat_key = $1 AND account_key = $2',
);
export const chatKeysOf = statement<{ chat_key: number }, [account: number]>(
  'SELECT chat_key FROM participants WHERE account_key = $1',
);
export const groupsOf = statement<ChatRow, [account: number]>(
  `SELECT ${chatColumns} FROM participants p JOIN chats c ON c.key = p.chat_key
   WHERE p.account_key = $1 AND c.kind = 'group' ORDER BY c.key`,
);
export const sharedChat = statement<{ chat_key: number }, [account: number, other: number]>(
  `SELECT p.chat_key FROM participants p JOIN participants o ON o.chat_key = p.chat_key AND o.account_key = $2
   WHERE p.account_key = $1 LIMIT 1`,
);
/** The same of certain conversations only. */
export const sharedChatAmong = statement<{ chat_key: number }, [account: number, other: number]>(
  `SELECT p.chat_key FROM participants p JOIN participants o ON o.chat_key = p.chat_key AND o.account_key = $2
   WHERE p.account_key = $1 AND p.chat_key IN (:list) LIMIT 1`,
);
/** Those of the accounts that share a conversation with `viewer`. */
export const sharingWith = statement<{ account_key: number }, [viewer: number]>(
  `SELECT DISTINCT o.account_key FROM participants o
   JOIN participants p ON p.chat_key = o.chat_key AND p.account_key = $1 WHERE o.account_key IN (:list)`,
);
/**
 * A page of the participants of all conversations of an account, by conversation and account. Sorting by `p.chat_key`
 * lets SQLite read the index in order and stop at the limit.
 */
export const companionsOf = statement<
  { chat_key: number; account_key: number },
  [account: number, afterChat: number, afterAccount: number, limit: number]
>(
  `SELECT o.chat_key, o.account_key FROM participants p JOIN participants o ON o.chat_key = p.chat_key
   WHERE p.account_key = $1 AND p.chat_key >= $2 AND (p.chat_key > $2 OR o.account_key > $3)
   ORDER BY p.chat_key, o.account_key LIMIT $4`,
);
/** A conversation with the names by which its participant finds it. */
export interface NamedChatRow {
  key: number;
  updated_at: number;
  title: string | null;
  /** The names of the partner in a direct chat that is not separate; no username if the partner was deleted. */
  display_name: string | null;
  username: string | null;
}
/** A page of an account's conversations with their names, in the order of an index, after the position `key`. */
export const namedChats = statement<NamedChatRow, [account: number, afterKey: number, limit: number]>(
  `SELECT c.key, c.updated_at, c.title, a.display_name,
     CASE WHEN a.deleted_at IS NULL THEN a.username END AS username
   FROM participants p JOIN chats c ON c.key = p.chat_key
   LEFT JOIN participants o ON c.direct_pair IS NOT NULL AND o.chat_key = c.key
     AND (o.account_key <> p.account_key OR c.participant_count = 1)
   LEFT JOIN accounts a ON a.key = o.account_key
   WHERE p.account_key = $1 AND p.chat_key > $2 ORDER BY p.chat_key LIMIT $3`,
);
/** A group in which both accounts take part. */
export const sharedGroup = statement<{ chat_key: number }, [account: number, other: number]>(
  `SELECT p.chat_key FROM participants p JOIN participants o ON o.chat_key = p.chat_key AND o.account_key = $2
   JOIN chats c ON c.key = p.chat_key WHERE p.account_key = $1 AND c.kind = 'group' LIMIT 1`,
);
/** A group, not a public one, in which both accounts take part. */
export const sharedPrivateGroup = statement<{ chat_key: number }, [account: number, other: number]>(
  `SELECT p.chat_key FROM participants p JOIN participants o ON o.chat_key = p.chat_key AND o.account_key = $2
   JOIN chats c ON c.key = p.chat_key
   WHERE p.account_key = $1 AND c.kind = 'group' AND c.is_public = 0 LIMIT 1`,
);
export const insertParticipant = statement<
  never,
  [chat: number, account: number, role: Role, alwaysOn: number | null, readKey: number, now: number, wasAdded: number]
>(
  `INSERT INTO participants (chat_key, account_key, role, always_on, read_key, joined_at, was_added)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (chat_key, account_key) DO NOTHING`,
);
/** Notes that an account has joined itself or has written. */
export const noteTakesPart = statement<never, [chat: number, account: number]>(
  'UPDATE participants SET was_added = 0 WHERE chat_key = $1 AND account_key = $2 AND was_added = 1',
);
export const deleteParticipant = statement<never, [chat: number, account: number]>(
  'DELETE FROM participants WHERE chat_key = $1 AND account_key = $2',
);
export const setRole = statement<never, [chat: number, account: number, role: Role]>(
  'UPDATE participants SET role = $3 WHERE chat_key = $1 AND account_key = $2',
);
export const setAlwaysOn = statement<never, [chat: number, account: number, alwaysOn: number]>(
  'UPDATE participants SET always_on = $3 WHERE chat_key = $1 AND account_key = $2',
);
/** Keeps the time of an agent that follows threads already. */
export const followThreads = statement<never, [chat: number, account: number, now: number]>(
  'UPDATE participants SET follows_from = $3 WHERE chat_key = $1 AND account_key = $2 AND follows_from IS NULL',
);
export const ignoreThreads = statement<never, [chat: number, account: number]>(
  'UPDATE participants SET follows_from = NULL WHERE chat_key = $1 AND account_key = $2',
);
export const setMute = statement<never, [chat: number, account: number, isMuted: number, until: number | null]>(
  'UPDATE participants SET is_muted = $3, muted_until = $4 WHERE chat_key = $1 AND account_key = $2',
);
export const advanceRead = statement<never, [chat: number, account: number, readKey: number]>(
  'UPDATE participants SET read_key = $3 WHERE chat_key = $1 AND account_key = $2 AND read_key < $3',
);

export interface ChannelRow {
  key: number;
  id: Uint8Array;
  chat_key: number;
  title: string;
  deleted_at: number | null;
}

export const channelById = statement<ChannelRow, [id: Uint8Array]>(
  'SELECT key, id, chat_key, title, deleted_at FROM channels WHERE id = $1',
);
export const channelByKey = statement<ChannelRow, [key: number]>(
  'SELECT key, id, chat_key, title, deleted_at FROM channels WHERE key = $1',
);
export const channelsOf = statement<ChannelRow, [chat: number]>(
  'SELECT key, id, chat_key, title, deleted_at FROM channels WHERE chat_key = $1 AND deleted_at IS NULL ORDER BY key',
);
export const countChannels = statement<{ count: number }, [chat: number]>(
  'SELECT count(*) AS count FROM channels WHERE chat_key = $1 AND deleted_at IS NULL',
);
export const insertChannel = statement<{ key: number }, [id: Uint8Array, chat: number, title: string, now: number]>(
  'INSERT INTO channels (id, chat_key, title, created_at) VALUES ($1, $2, $3, $4) RETURNING key',
);
export const markChannelDeleted = statement<never, [key: number, now: number]>(
  'UPDATE channels SET deleted_at = $2 WHERE key = $1',
);
