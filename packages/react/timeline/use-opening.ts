import type { Chat, StoredMessage, Timeline } from '@parley/client/store';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from '../provider.ts';
import type { Unread } from './read-marker.ts';

/**
 * Where the list scrolls: to a message, or to the end if `key` is null. Without `align` it does not move, with `auto` only
 * as far as it must.
 */
export interface Goal {
  readonly key: string | null;
  readonly align: 'start' | 'center' | 'auto' | null;
}

/** A place at which a timeline opens or to which it jumps, and what becomes of it. */
export interface Target {
  /** The message, or the time of one, to scroll to and highlight for a moment. A Date must stay the same object. */
  target: string | Date | null;
  /** Called once the target was shown. */
  onTarget?: (() => void) | undefined;
  /** Called with the message to which a jump leads. A stable function. */
  onJump?: ((message: StoredMessage) => void) | undefined;
  /** Called if there is no such message, or, with an error, if it could not be loaded. A stable function. */
  onMiss?: ((error: Error | null) => void) | undefined;
}

interface OpeningInput extends Target {
  chat: Chat;
  timeline: Timeline;
  isLoaded: boolean;
  unread: Unread;
}

interface Opening {
  goal: Goal | null;
  /** The message that is highlighted for a moment. */
  marked: string | null;
  /** null while the list moves: no page is loaded until it stops. */
  go: (goal: Goal | null) => void;
  /** Resolves to false if a later jump replaced this one. */
  jumpTo: (place: string | Date) => Promise<boolean>;
  toUnread: () => Promise<void>;
}

const MARKED_MS = 2_400;

/** Decides where a timeline opens (target, first unread, or end) and runs later jumps. */
export function useOpening(input: OpeningInput): Opening {
  const { chat, timeline, isLoaded, target, unread, onTarget, onJump, onMiss } = input;
  const store = useStore();
  const [goal, setGoal] = useState<Goal | null>(null);
  const [marked, setMarked] = useState<{ key: string } | null>(null);
  const isOpened = useRef(false);
  /** Counts jumps: a later one cancels earlier ones. */
  const jumps = useRef(0);
  // A function that is new with each render must not jump again.
  const shown = useRef(onTarget);
  useEffect(() => {
    shown.current = onTarget;
  });

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
      const asked = typeof place === 'string' ? store.message(place).get() : undefined;
      if (asked) onJump?.(asked);
      const { ids, target, error } = timeline.get();
      const hasStayed = !hasLanded && ids === before.ids && target === before.target;
      setGoal({ key: target, align: hasStayed ? null : 'center' });
      setMarked(hasLanded && target !== null ? { key: target } : null);
      if (!hasLanded) onMiss?.(error);
      return true;
    },
    [timeline, store, onJump, onMiss],
  );

  useEffect(() => {
    if (target === null) return;
    isOpened.current = true;
    void jumpTo(target).then((isLast) => isLast && shown.current?.());
  }, [jumpTo, target]);

  const { lastRead } = unread;
  const begun = chat.created_at;
  const toUnread = useCallback(async () => {
    if (!unread.isBefore) return setGoal({ key: unread.first, align: 'start' });
    setGoal(null);
    // The last read message may be in another timeline of the chat: jump by its time.
    if (lastRead !== null) await store.loadMessages([lastRead]).catch(() => undefined);
    const read = lastRead === null ? undefined : store.message(lastRead).get();
    const hasLanded = await timeline.jumpTo(new Date(read?.created_at ?? begun));
    return setGoal({ key: timeline.get().target, align: hasLanded ? 'start' : null });
  }, [store, timeline, unread, lastRead, begun]);

  useEffect(() => {
    if (isOpened.current || !isLoaded) return;
    isOpened.current = true;
    // Without a read marker the timeline opens at its end.
    if (unread.isBefore && lastRead === null) setGoal({ key: null, align: 'start' });
    else void toUnread();
  }, [isLoaded, unread, lastRead, toUnread]);

  return { goal, marked: marked?.key ?? null, go: setGoal, jumpTo, toUnread };
}
