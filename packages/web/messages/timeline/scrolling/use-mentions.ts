import type { Chat, Timeline } from '@parley/client/store';
import { useCallback, useRef } from 'react';
import { useNavigate } from '../../../browser/navigation.ts';
import { chatRoute } from '../../../browser/route.ts';
import { useSession } from '../../../session/session.ts';

/** Leads to the next unread mention, the oldest first, and after the newest to the oldest again. */
export function useMentions(
  chat: Chat,
  timeline: Timeline,
  jumpTo: (messageId: string) => Promise<unknown>,
): () => Promise<void> {
  const { client } = useSession();
  const navigate = useNavigate();
  /** The position of the last one to which it has led. */
  const last = useRef(0);
  return useCallback(async () => {
    const { items } = await client.call('getUnreadMentions', { chat_id: chat.id });
    const next = items.find(({ position }) => position > last.current) ?? items[0];
    if (!next) return;
    last.current = next.position;
    const { channel_id: channelId, thread_root_id: threadRootId, message_id: messageId } = next;
    if (channelId === timeline.key.channel_id && threadRootId === timeline.key.thread_root_id) await jumpTo(messageId);
    else navigate(chatRoute(chat.id, { channelId, threadRootId, messageId }));
  }, [client, navigate, chat.id, timeline, jumpTo]);
}
