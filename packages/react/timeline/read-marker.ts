import type { Chat, Timeline } from '@parley/client/store';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from '../provider.ts';
import { useCell } from '../use-cell.ts';

/** How long a message must be in view to count as read. */
const READ_AFTER_MS = 300;

export interface Unread {
  /** The key of the first message that was unread at opening, if it is loaded. */
  readonly first: string | null;
  /** The first unread message is older than the loaded ones. */
  readonly isBefore: boolean;
}

const none: Unread = { first: null, isBefore: false };

function subscribeToSight(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
const isInSight = (): boolean => !document.hidden;

/** Whether the store has caught up since the component was mounted: what arrives until then was there before. */
function useHasCaughtUp(): boolean {
  const isLive = useCell(useStore().client.stateCell) === 'live';
  const [was, setWas] = useState(isLive);
  if (isLive && !was) setWas(true);
  return was || isLive;
}

interface Opening {
  hadUnread: boolean;
  readAt: number;
  newestAt: number;
}

/** Which messages were unread when the timeline opened. A store that was saved knows it once it has caught up (WEB-32). */
export function useUnreadAtOpening(chat: Chat, timeline: Timeline, username: string): Unread {
  const store = useStore();
  const { rows: ids, isLoaded, hasOlder } = useCell(timeline);
  const hasCaughtUp = useHasCaughtUp();
  const openingOf = (at: Chat): Opening => {
    const newest = store.message(at.last_message_id ?? '').get();
    return {
      // What arrived in an attended timeline while the store caught up is not in the count.
      hadUnread: at.unread_count > 0 || (newest?.position ?? 0) > at.last_read_position,
      readAt: at.last_read_position,
      // Messages that arrive later never get the "New messages" line.
      newestAt: newest?.position ?? Infinity,
    };
  };
  const [opening, setOpening] = useState(() => ({ ...openingOf(chat), isSure: hasCaughtUp }));
  if (hasCaughtUp && !opening.isSure) setOpening({ ...openingOf(store.chat(chat.id).get() ?? chat), isSure: true });
  const { hadUnread, readAt, newestAt } = opening;
  return useMemo(() => {
    if (!hadUnread || !isLoaded) return none;
    const isUnread = (id: string): boolean => {
      const message = store.message(id).get();
      if (!message || message.service || message.sender.username === username) return false;
      return message.position > readAt && message.position <= newestAt;
    };
    const first = ids.find(isUnread) ?? null;
    // Unless a read message is loaded before it, an older unread one may exist.
    const oldest = store.message(ids[0] ?? '').get();
    const isBefore = first !== null && hasOlder && (oldest?.position ?? 0) > readAt;
    return { first: isBefore ? null : first, isBefore };
  }, [store, ids, isLoaded, hasOlder, hadUnread, readAt, newestAt, username]);
}

interface Sight {
  /** The reader's username. */
  me: string;
  isAtEnd: boolean;
  /** The key of the last message that is wholly in view; undefined before the timeline has opened. */
  lastSeen: string | undefined;
}

/** Moves the read marker as messages come into view, at most once per READ_AFTER_MS and call (WEB-231). */
export function useReadMarker(chat: Chat, timeline: Timeline, { me, isAtEnd, lastSeen }: Sight): void {
  const store = useStore();
  const { rows: ids } = useCell(timeline);
  const isInView = useSyncExternalStore(subscribeToSight, isInSight);
  const isLooking = isInView && isAtEnd;
  const newest = useMemo(() => ids.findLast((id) => store.message(id).get()?.outbox === undefined), [store, ids]);
  const newsAt = useMemo(() => {
    const isOthers = (id: string): boolean => store.message(id).get()?.sender.username !== me;
    return store.message(ids.findLast(isOthers) ?? '').get()?.position ?? 0;
  }, [store, ids, me]);
  const seen = isAtEnd ? newest : lastSeen;
  const seenAt = store.message(seen ?? '').get()?.position ?? 0;
  const isUnread = isAtEnd
    ? chat.unread_count > 0 || newsAt > chat.last_read_position
    : chat.unread_count > 0 && seenAt > chat.last_read_position;

  // Before the timeline is painted: a message that arrives right after it is read on arrival (WEB-32).
  useLayoutEffect(() => (isLooking ? store.attend(timeline.key) : undefined), [store, timeline, isLooking]);
  const latest = useRef(seen);
  useEffect(() => {
    latest.current = seen;
  });
  /** The last message that was reported, whatever came of it: each is reported once. */
  const [reported, setReported] = useState<string>();
  const isDue = isInView && isUnread && seen !== undefined && seen !== reported;
  useEffect(() => {
    if (!isDue) return undefined;
    const report = () => {
      const key = latest.current;
      const message = store.message(key ?? '').get();
      const end = () => setReported(key);
      // Retried until the service has it; a refusal means that the message was deleted.
      if (message) store.markRead(chat.id, message.id).then(end, end);
    };
    const timer = setTimeout(report, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [store, chat.id, isDue, reported]);
}
