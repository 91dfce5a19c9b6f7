import type { Chat, Timeline } from '@parley/client/store';
import { useEffect, useMemo, useState } from 'react';
import { useSession } from '../app/session.ts';
import { useCell } from '../app/use-cell.ts';

/** A message counts as read when it was in view for so long. */
const TOLD_AFTER_MS = 300;

export interface Unread {
  /** The key of the first message that was unread when the timeline was opened, where it is in the window. */
  readonly first: string | null;
  /** It stands before what is loaded. */
  readonly isBefore: boolean;
}

const none: Unread = { first: null, isBefore: false };

/** Moves the read marker while the end is in view, and tells where it stood at the opening. */
export function useReadMarker(chat: Chat, timeline: Timeline, isAtEnd: boolean): Unread {
  const { store, username } = useSession();
  const { ids, isLoaded, hasOlder } = useCell(timeline);
  const [openedAt] = useState(chat.last_read_position);
  const [hadUnread] = useState(chat.unread_count > 0);
  const newest = useMemo(() => ids.findLast((id) => store.message(id).get()?.outbox === undefined), [store, ids]);
  const isSeen = isAtEnd && chat.unread_count > 0;

  useEffect(() => {
    if (!isSeen || newest === undefined) return undefined;
    const tell = () => {
      const message = store.message(newest).get();
      if (message && !document.hidden) void store.markRead(chat.id, message.id).catch(() => undefined);
    };
    const timer = setTimeout(tell, TOLD_AFTER_MS);
    document.addEventListener('visibilitychange', tell);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tell);
    };
  }, [store, chat.id, newest, isSeen]);

  return useMemo(() => {
    if (!hadUnread || !isLoaded) return none;
    const isUnread = (id: string): boolean => {
      const message = store.message(id).get();
      return message !== undefined && message.position > openedAt && message.sender.username !== username;
    };
    const first = ids.find(isUnread) ?? null;
    // One that was read has to stand before it: else it may not be the first.
    const oldest = store.message(ids[0] ?? '').get();
    const isBefore = first !== null && hasOlder && (oldest?.position ?? 0) > openedAt;
    return { first: isBefore ? null : first, isBefore };
  }, [store, ids, isLoaded, hasOlder, hadUnread, openedAt, username]);
}
