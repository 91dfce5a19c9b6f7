import type { UnitCall } from '../commits/unit-call.ts';
import { notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import type { OwnChatRow } from '../store/chats.ts';
import { requireChannel } from '../access/chats.ts';
import { messageById, type MessageRow } from '../store/messages.ts';
import { assertPublic, isGone } from './visibility.ts';

/** The channel and thread of a timeline as rows store them: 0 for #all, and for no thread. */
export interface Timeline {
  channelKey: number;
  threadKey: number;
}

/** The timeline that an input names; its channel and thread root must exist (MSG-7). */
export async function requireTimeline(
  call: Pick<UnitCall, 'tx' | 'caller'>,
  chat: Pick<OwnChatRow, 'key'>,
  input: { channel_id?: string | undefined; thread_root_id?: string | undefined },
  { deletedRoot = false } = {},
): Promise<Timeline> {
  const channelKey = input.channel_id === undefined ? 0 : (await requireChannel(call, chat.key, input.channel_id)).key;
  if (input.thread_root_id === undefined) return { channelKey, threadKey: 0 };
  const root = await call.tx.get(messageById, idBytes(input.thread_root_id), call.caller.key);
  const isRoot = root && root.chat_key === chat.key && root.channel_key === channelKey && root.thread_key === 0;
  if (!isRoot || (root.deleted_at !== null && !deletedRoot)) throw notFound('thread root');
  assertPublic(root);
  return { channelKey, threadKey: root.key };
}

/** The message that a reply quotes: it must be in the same conversation and not deleted (MSG-6). */
export async function requireQuoted(
  call: Pick<UnitCall, 'tx' | 'caller'>,
  chat: Pick<OwnChatRow, 'key'>,
  messageId: string | undefined,
): Promise<MessageRow | undefined> {
  if (messageId === undefined) return undefined;
  const quoted = await call.tx.get(messageById, idBytes(messageId), call.caller.key);
  if (!quoted || quoted.chat_key !== chat.key || (await isGone(call, quoted))) throw notFound('message');
  assertPublic(quoted);
  return quoted;
}
