import type { Chat, Store, StoredMessage } from '@parley/client/store';
import { useEffect } from 'react';
import { askerOf } from '../../session/asker-of.ts';
import { useSession } from '../../session/session.ts';
import { streamingIn, useStreaming } from '../../composer/composing/use-streaming.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { isWebhook } from '../../words/is-webhook.ts';

/** Whether the service would accept a retry by this user, as far as loaded messages show (RETRY-3, RETRY-4). */
export function mayRetry(store: Store, chat: Chat, reply: StoredMessage, me: string): boolean {
  const { sender, status, reply_to_id: triggerId, thread_root_id: rootId } = reply;
  // Replies of bots come from their own daemon: the service cannot retry them.
  if (sender.kind !== 'agent' || sender.agent_provider === 'bot' || isWebhook(sender) || sender.is_deleted)
    return false;
  if (status === 'streaming' || triggerId === null || reply.forwarded_from) return false;
  const isWhole = chat.participants.length >= chat.participant_count;
  if (isWhole && !chat.participants.some(({ username }) => username === sender.username)) return false;
  if (askerOf(store, reply) !== me) return false;
  const timeline = store.timeline({ chat_id: chat.id, channel_id: reply.channel_id, thread_root_id: rootId });
  // A retry in progress is at the timeline's end.
  return !streamingIn(store, timeline).some((id) => {
    const other = store.message(id).get();
    return other?.reply_to_id === triggerId && other.sender.username === sender.username;
  });
}

/** askerOf as a hook; it loads the message that the reply answers. */
export function useAsker(reply: StoredMessage): string | null {
  const { store } = useSession();
  const { reply_to_id: triggerId } = reply;
  const trigger = useMessageRow(triggerId ?? '');
  useEffect(() => {
    if (triggerId !== null && !trigger) void store.loadMessages([triggerId]).catch(() => undefined);
  }, [store, triggerId, trigger]);
  return askerOf(store, reply);
}

/** mayRetry as a hook. */
export function useMayRetry(chat: Chat, reply: StoredMessage): boolean {
  const { store, username } = useSession();
  const { channel_id, thread_root_id } = reply;
  useAsker(reply);
  useStreaming(store.timeline({ chat_id: chat.id, channel_id, thread_root_id }));
  return mayRetry(store, chat, reply, username);
}
