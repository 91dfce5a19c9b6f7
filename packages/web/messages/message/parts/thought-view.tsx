import type { PartOf } from '@parley/protocol';
import { Brain } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { LiveDocument } from '../../../markdown/live/live-document.ts';
import { Markdown } from '../../../markdown/markdown.tsx';
import { ShownMessageContext, useShownMessage } from '../../../markdown/views/shown-message.ts';
import { duration } from '../../../words/duration.ts';
import { Dots } from '../writing-dots.tsx';
import { Fold } from './fold.tsx';
import styles from './parts.module.css';
import { t } from '../../../words/t.ts';

interface ThoughtProps {
  part: PartOf<'reasoning'>;
  isRunning: boolean;
}

/** What a model thought: one line, which unfolds. */
export function ThoughtView({ part, isRunning }: ThoughtProps) {
  const { text, duration_ms: ms } = part;
  const line = (
    <>
      <Brain aria-hidden />
      {isRunning ? (
        <>
          <span>{t('Thinking')}</span>
          <span aria-hidden className={styles['timer']}>
            <Dots isMoving />
            <Timer />
          </span>
        </>
      ) : (
        <span>{thoughtFor(ms)}</span>
      )}
    </>
  );
  const content = () => <ThoughtText text={text} isLive={isRunning} />;
  return <Fold line={line}>{text.trim() === '' ? null : content}</Fold>;
}

function thoughtFor(ms: number | undefined): string {
  if (ms === undefined) return t('Thoughts');
  return ms < 1_000 ? t('Thought for a moment') : t('Thought for {duration}', { duration: duration(ms) });
}

/** Seconds since it was first shown: only the service knows when the part began, and says so at its end. */
function Timer() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - startedAt) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return seconds === 0 ? null : <span>{duration(seconds * 1_000)}</span>;
}

/** Distance from the end, in pixels, within which a growing text is followed. */
const AT_END = 24;

function ThoughtText({ text, isLive }: { text: string; isLive: boolean }) {
  const message = useShownMessage();
  // Buttons and forms are for replies: in a thought they do nothing.
  const inert = useMemo(() => ({ ...message, canAct: false }), [message]);
  const [document] = useState(() => new LiveDocument());
  const [times, setTimes] = useState(1);
  const { blocks, isCut } = useMemo(
    () => ({ blocks: document.read(text, isLive, times), isCut: document.isCut }),
    [document, text, isLive, times],
  );
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(isLive);
  useLayoutEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [blocks]);
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      ref={box}
      className={styles['thought']}
      role="region"
      aria-label={t('Thoughts')}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, clientHeight, scrollTop } }) => {
        isAtEnd.current = isLive && scrollHeight - clientHeight - scrollTop < AT_END;
      }}
    >
      <ShownMessageContext value={inert}>
        <Markdown blocks={blocks} onMore={isCut ? () => setTimes(times + 1) : undefined} />
      </ShownMessageContext>
    </div>
  );
}
