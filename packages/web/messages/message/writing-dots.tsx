import type { Cell } from '@parley/client';
import type { StoredMessage } from '@parley/client/store';
import { useEffect, useRef, useState } from 'react';
import { useMedia } from '../../browser/use-media.ts';
import styles from './message-text.module.css';
import { useSession } from '../../session/session.ts';
import { t } from '../../words/t.ts';

/** How long without new text until the dots are animated: while text arrives it moves enough. */
const PAUSE_MS = 700;

/** The dots after the last word of a streaming reply. */
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
    // Animated from script, on the compositor only: a CSS animation would fire an event for each iteration.
    const moves = [...(dots.current?.children ?? [])].map((dot, at) =>
      dot.animate(pulse, { ...timing, delay: at * LATER_MS }),
    );
    return () => {
      for (const move of moves) move.cancel();
    };
  }, [isMoving, isStill]);
  return (
    <span ref={dots} className={styles['dots']} role="img" aria-label={t('is writing')}>
      <span />
      <span />
      <span />
    </span>
  );
}

/** Whether a cell has not changed for a while. Does not render while it changes. */
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
