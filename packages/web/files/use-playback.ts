import { fileAddress } from '@parley/markdown';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { Attachment } from './attachment.ts';
import { useFileAddress } from './use-file-address.ts';

type MediaEvent = SyntheticEvent<HTMLMediaElement>;

/**
 * The properties of an element that plays a file. If the file's address expires while it plays, it goes on at a fresh
 * one. `isLost` if the file cannot be played. Only one file plays at a time.
 */
export function usePlayback(messageId: string, attachment: Attachment) {
  // A message that is loaded again has other signatures, which must not interrupt what plays.
  const [first] = useState(attachment);
  const { file, isLost, refresh, onFail, onLoad } = useFileAddress(messageId, first);
  const interrupted = useRef<{ element: HTMLMediaElement; at: number; isPlaying: boolean } | null>(null);
  useEffect(() => {
    if (!interrupted.current) return;
    // Explicitly: an element that loads nothing in advance waits otherwise, and an address given within the same minute
    // is the same one.
    const { element, isPlaying } = interrupted.current;
    element.load();
    // The browser may want another click.
    if (isPlaying) void element.play().catch(() => undefined);
  }, [file]);
  return {
    isLost,
    refresh,
    element: {
      src: fileAddress(file.url ?? ''),
      onError({ currentTarget }: MediaEvent) {
        const { currentTime: at, paused } = currentTarget;
        interrupted.current = { element: currentTarget, at, isPlaying: !paused };
        onFail();
      },
      onLoadedMetadata({ currentTarget }: MediaEvent) {
        onLoad();
        const before = interrupted.current;
        interrupted.current = null;
        if (before) currentTarget.currentTime = before.at;
      },
      onPlay: ({ currentTarget }: MediaEvent) => pauseOthers(currentTarget),
    },
  };
}

function pauseOthers(playing: HTMLMediaElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('audio, video')) if (other !== playing) other.pause();
}
