import type { Chat, Timeline } from '@parley/client/store';
import { useCallback, useRef } from 'react';
import { useSession } from '../../../session/session.ts';
import { useComposings } from '../../../composer/composing/composing.ts';

const notHere = { text: 'Your other mentions are in threads or other channels.', isError: false };

/** Jumps to the next unread mention of this timeline, and after the last one to the first again (WEB-232). */
export function useMentions(
  chat: Chat,
  timeline: Timeline,
  jumpTo: (messageId: string) => Promise<unknown>,
): () => Promise<void> {
  const { client } = useSession();
  const composings = useComposings();
  /** The position of the mention that was jumped to last. */
  const last = useRef(0);
  return useCallback(async () => {
    const { channel_id, thread_root_id } = timeline.key;
    const { items } = await client.call('getUnreadMentions', { chat_id: chat.id });
    const here = items.filter((one) => one.channel_id === channel_id && one.thread_root_id === thread_root_id);
    const next = here.find(({ position }) => position > last.current) ?? here[0];
    if (!next) return composings.signal('note', timeline.key, notHere);
    last.current = next.position;
    await jumpTo(next.message_id);
    return undefined;
  }, [client, composings, chat.id, timeline, jumpTo]);
}
