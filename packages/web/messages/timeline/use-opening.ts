import type { Chat, Timeline } from '@parley/client/store';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from '../../session/session.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import type { Unread } from './read-marker.ts';

/** Where the list shall go: to a message, or to the end; without `align` it stays where it is. */
export interface Goal {
  readonly key: string | null;
  readonly align: 'start' | 'center' | null;
}

interface OpeningInput {
  chat: Chat;
  timeline: Timeline;
  isLoaded: boolean;
  targetId: string | null;
  unread: Unread;
  /** The message of the address was found: it need not stay there. */
  onTarget: () => void;
}

interface Opening {
  goal: Goal | null;
  /** The message that is marked for a moment. */
  marked: string | null;
  /** null: on its way; no page is loaded meanwhile. */
  go: (goal: Goal | null) => void;
  /** False where another jump has taken its place meanwhile. */
  jumpTo: (place: string | Date) => Promise<boolean>;
  toUnread: () => Promise<void>;
}

const MARKED_MS = 2_400;
const notThere = { text: 'That message is not there any more.', isError: false };
const notLoaded = { text: 'That message could not be loaded. Try again in a moment.', isError: true };

/** Where a timeline opens: at its target, at what is unread, or at its end. And how one jumps in it later. */
export function useOpening({ chat, timeline, isLoaded, targetId, unread, onTarget }: OpeningInput): Opening {
  const store = useStore();
  const composings = useComposings();
  const [goal, setGoal] = useState<Goal | null>(null);
  const [marked, setMarked] = useState<{ key: string } | null>(null);
  const isOpened = useRef(false);
  /** Whoever jumps again has given up where they wanted to go before. */
  const jumps = useRef(0);

  useEffect(() => {
    if (!marked) return undefined;
    const timer = setTimeout(() => setMarked(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);

  const jumpTo = useCallback(
    async (place: string | Date) => {
      const own = (jumps.current += 1);
      setGoal(null);
      const before = timeline.get();
      const hasLanded = await timeline.jumpTo(place);
      if (own !== jumps.current) return false;
      const { ids, target, error } = timeline.get();
      const hasStayed = !hasLanded && ids === before.ids && target === before.target;
      setGoal({ key: target, align: hasStayed ? null : 'center' });
      setMarked(hasLanded && target !== null ? { key: target } : null);
      if (!hasLanded) composings.signal('note', timeline.key, error ? notLoaded : notThere);
      return true;
    },
    [composings, timeline],
  );

  useEffect(() => {
    if (targetId === null) return;
    isOpened.current = true;
    void jumpTo(targetId).then((isLast) => isLast && onTarget());
  }, [jumpTo, targetId, onTarget]);

  // Where the marker stood when this was opened: it moves on as one reads.
  const [lastRead] = useState(chat.last_read_message_id);
  const begun = chat.created_at;
  const toUnread = useCallback(async () => {
    if (!unread.isBefore) return setGoal({ key: unread.first, align: 'start' });
    setGoal(null);
    // What was read last may stand in another timeline: its time leads to the place in this one.
    if (lastRead !== null) await store.loadMessages([lastRead]).catch(() => undefined);
    const read = lastRead === null ? undefined : store.message(lastRead).get();
    const hasLanded = await timeline.jumpTo(new Date(read?.created_at ?? begun));
    return setGoal({ key: timeline.get().target, align: hasLanded ? 'start' : null });
  }, [store, timeline, unread, lastRead, begun]);

  useEffect(() => {
    if (isOpened.current || !isLoaded) return;
    isOpened.current = true;
    // Who has never read here begins with what is new.
    if (unread.isBefore && lastRead === null) setGoal({ key: null, align: 'start' });
    else void toUnread();
  }, [isLoaded, unread, lastRead, toUnread]);

  return { goal, marked: marked?.key ?? null, go: setGoal, jumpTo, toUnread };
}
