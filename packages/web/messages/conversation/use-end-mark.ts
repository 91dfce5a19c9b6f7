import type { Chat } from '@parley/client/store';
import { useEffect, useRef } from 'react';
import { useSession } from '../../session/session.ts';

/** Opening a conversation ends its mark as unread; a mark that is set while it is open stays. */
export function useEndMark(chat: Chat | undefined): void {
  const { client } = useSession();
  const isOpened = useRef(false);
  useEffect(() => {
    if (!chat || isOpened.current) return;
    isOpened.current = true;
    // If it fails, the mark stays, and the next opening tries again.
    if (chat.is_marked_unread)
      client.call('setChatState', { chat_id: chat.id, is_marked_unread: false }).catch(() => undefined);
  }, [client, chat]);
}
