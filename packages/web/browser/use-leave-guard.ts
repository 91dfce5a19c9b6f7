import { useCallback, useEffect, useRef, useState } from 'react';
import { usePage } from './page.ts';

interface LeaveGuard {
  /** The user is about to leave: ask. */
  readonly isAsking: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
  /** Lets the next page open without asking. */
  readonly release: () => void;
}

/**
 * While there are changes to lose, no other page opens before the user has agreed, also with Back; the browser asks
 * before it closes or reloads the tab (WEB-160).
 */
export function useLeaveGuard(hasChanges: boolean): LeaveGuard {
  const { navigation, overlays } = usePage();
  const [goOn, setGoOn] = useState<(() => void) | null>(null);
  // Incremented when the user stays: Back has used up the history entry that had held the page.
  const [round, setRound] = useState(0);
  const end = useRef<(() => void) | null>(null);

  useEffect(() => {
    if (!hasChanges) return undefined;
    const ask = (go: () => void) => setGoOn(() => go);
    const endWatch = navigation.watchLeaving(ask);
    const entry = { close: () => ask(() => overlays.leaveAll(() => history.back())) };
    overlays.add(entry);
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onClose);
    const release = () => {
      end.current = null;
      endWatch();
      overlays.remove(entry);
      removeEventListener('beforeunload', onClose);
    };
    end.current = release;
    return release;
  }, [navigation, overlays, hasChanges, round]);

  const release = useCallback(() => end.current?.(), []);
  return {
    isAsking: goOn !== null,
    stay() {
      setGoOn(null);
      // Not after `leave`, which has ended it.
      if (end.current) setRound(round + 1);
    },
    leave() {
      release();
      goOn?.();
    },
    release,
  };
}
