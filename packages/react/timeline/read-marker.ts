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
  /** The ID of the last message that was read at opening; null if none was. */
  readonly lastRead: string | null;
}

function subscribeToSight(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
const isInSight = (): boolean => !document.hidden;

/** Whether the store has caught up since the component was mounted: what arrives until then was there before. */
export function useHasCaughtUp(): boolean {
  const isLive = useCell(useStore().client.stateCell) === 'live';
  const [was, setWas] = useState(isLive);
  if (isLive && !was) setWas(true);
  return was || isLive;
}

interface Opening {
  hadUnread: boolean;
  lastRead: string | null;
  readAt: number;
  newestAt: number;
}

interface Reader {
  /** The reader's username. */
  me: string;
  /** See useHasCaughtUp. */
  hasCaughtUp: boolean;
}

/** Which messages were unread when the timeline opened. A store that was saved knows it once it has caught up (WEB-32). */
export function useUnreadAtOpening(chat: Chat, timeline: Timeline, { me, hasCaughtUp }: Reader): Unread {
  const store = useStore();
  const { rows: ids, isLoaded, hasOlder } = useCell(timeline);
  const openingOf = (at: Chat): Opening => {
    const newest = store.message(at.last_message_id ?? '').get();
    return {
      hadUnread: at.unread_count > 0,
      lastRead: at.last_read_message_id,
      readAt: at.last_read_position,
      // Messages that arrive later never get the "New messages" line.
      newestAt: newest?.position ?? Infinity,
    };
  };
  const [opening, setOpening] = useState(() => ({ ...openingOf(chat), isSure: hasCaughtUp }));
  if (hasCaughtUp && !opening.isSure) {
    const now = openingOf(store.chat(chat.id).get() ?? chat);
    // What arrived in an attended timeline while the store caught up is not in the count.
    const hasNews = Number.isFinite(now.newestAt) && now.newestAt > now.readAt;
    setOpening({ ...now, hadUnread: now.hadUnread || hasNews, isSure: true });
  }
  const { hadUnread, lastRead, readAt, newestAt } = opening;
  return useMemo(() => {
    if (!hadUnread || !isLoaded) return { first: null, isBefore: false, lastRead };
    const isUnread = (id: string): boolean => {
      const message = store.message(id).get();
      if (!message || message.service || message.sender.username === me) return false;
      return message.position > readAt && message.position <= newestAt;
    };
    const first = ids.find(isUnread) ?? null;
    // Unless a read message is loaded before it, an older unread one may exist.
    const oldest = store.message(ids[0] ?? '').get();
    const isBefore = first !== null && hasOlder && (oldest?.position ?? 0) > readAt;
    return { first: isBefore ? null : first, isBefore, lastRead };
  }, [store, ids, isLoaded, hasOlder, hadUnread, lastRead, readAt, newestAt, me]);
}

const awayStates: ReadonlySet<string> = new Set(['waiting', 'offline']);

interface Sight extends Reader {
  isAtEnd: boolean;
  /** The key of the last message that is wholly in view; undefined before the timeline has opened. */
  lastSeen: string | undefined;
}

/**
 * Moves the read marker as messages come into view, at most once per READ_AFTER_MS and call (WEB-231). Not before the store
 * has caught up: until then it is not known what was unread at opening.
 */
export function useReadMarker(chat: Chat, timeline: Timeline, { me, hasCaughtUp, isAtEnd, lastSeen }: Sight): void {
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
  // Without a connection nothing new arrives: what is read is reported later.
  const isAway = awayStates.has(useCell(store.client.stateCell));
  const isDue = (hasCaughtUp || isAway) && isInView && isUnread && seen !== undefined && seen !== reported;
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
