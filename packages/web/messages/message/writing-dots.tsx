import type { Cell } from '@parley/client';
import type { StoredMessage } from '@parley/client/store';
import { useEffect, useRef, useState } from 'react';
import { useMedia } from '../../browser/use-media.ts';
import styles from './message-text.module.css';
import { useSession } from '../../session/session.ts';

/** Without a word for so long the dots begin to move: words that come move enough, and each moves the dots along. */
const PAUSE_MS = 700;

/** Behind the last word of a reply that is being written. */
export function WritingDots({ cell }: { cell: Cell<StoredMessage | undefined> }) {
  return <Dots isMoving={useIsPaused(cell)} />;
}

const easing = 'ease-in-out';
const pulse: Keyframe[] = [
  { opacity: 0.4, easing },
  { opacity: 1, offset: 0.3, easing },
  { opacity: 0.4, offset: 0.6 },
  { opacity: 0.4 },
];
const timing = { duration: 1_400, iterations: Infinity };
const LATER_MS = 180;

export function Dots({ isMoving }: { isMoving: boolean }) {
  const dots = useRef<HTMLSpanElement>(null);
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  useEffect(() => {
    if (!isMoving || isStill) return undefined;
    // Opacity, from here: the compositor changes it without the page. A style sheet's animation would tell each round.
    const moves = [...(dots.current?.children ?? [])].map((dot, at) =>
      dot.animate(pulse, { ...timing, delay: at * LATER_MS }),
    );
    return () => {
      for (const move of moves) move.cancel();
    };
  }, [isMoving, isStill]);
  return (
    <span ref={dots} className={styles['dots']} role="img" aria-label="is writing">
      <span />
      <span />
      <span />
    </span>
  );
}

/** Whether a cell has not changed for a while. It costs nothing while it changes. */
function useIsPaused(cell: Cell<unknown>): boolean {
  const { frames } = useSession();
  const [isPaused, setIsPaused] = useState(false);
  useEffect(() => {
    let changedAt = performance.now();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const go = () => setIsPaused(false);
    const look = () => {
      const leftMs = changedAt + PAUSE_MS - performance.now();
      timer = leftMs > 0 ? setTimeout(look, leftMs) : null;
      if (timer === null) setIsPaused(true);
    };
    look();
    const end = cell.subscribe(() => {
      changedAt = performance.now();
      if (timer !== null) return;
      frames.add(go);
      look();
    });
    return () => {
      end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [frames, cell]);
  return isPaused;
}
