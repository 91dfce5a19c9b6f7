// What the app adds to the scrolling of @parley/react: highlights and jumps. May import: the rooms below messages.
import type { Goal } from '@parley/react';
import { type RefObject, useEffect } from 'react';
import { useSoughtWords } from '../../../chats/palette/sought-words.ts';
import { useSession } from '../../../session/session.ts';
import { wordRanges } from './word-ranges.ts';

/** The name of the highlight in the styles. */
const HIGHLIGHT = 'sought';
/** Number of frames without movement after which scrolling counts as finished. */
const STILL_FRAMES = 3;
const MAX_FRAMES = 120;

/** After jumping to a search hit, scrolls to the found word and highlights it. */
export function useHighlight(goal: Goal | null, scroller: RefObject<HTMLElement | null>): void {
  const { store, looks } = useSession();
  const soughtWords = useSoughtWords();
  useEffect(() => {
    const row = goal?.align === 'center' && goal.key !== null ? store.message(goal.key).get() : undefined;
    const shownId = row && looks.shownIn(row);
    const words = shownId === undefined ? [] : soughtWords.of(shownId);
    if (words.length === 0) return undefined;
    let [top, still, frames] = [0, 0, 0];
    const look = (): void => {
      const text = scroller.current?.querySelector(`[data-message="${shownId}"] [data-text]`);
      const before = top;
      top = text?.getBoundingClientRect().top ?? 0;
      still = text && top === before ? still + 1 : 0;
      frames += 1;
      if (text && still >= STILL_FRAMES) show(text, words, scroller.current);
      else if (frames < MAX_FRAMES) frame = requestAnimationFrame(look);
    };
    let frame = requestAnimationFrame(look);
    return () => {
      cancelAnimationFrame(frame);
      highlights()?.delete(HIGHLIGHT);
    };
  }, [goal, store, looks, soughtWords, scroller]);
}

function show(text: Element, words: readonly string[], scroller: HTMLElement | null): void {
  const ranges = wordRanges(text, words);
  const [first] = ranges;
  if (!first || !scroller) return;
  // Folded code opens, as for a search of the browser.
  first.startContainer.parentElement?.closest('[hidden]')?.dispatchEvent(new Event('beforematch'));
  highlights()?.set(HIGHLIGHT, new Highlight(...ranges));
  const [word, frame] = [first.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const quarter = frame.height / 4;
  if (word.top < frame.top + quarter || word.bottom > frame.bottom - quarter)
    scroller.scrollTop += word.top - (frame.top + frame.height / 2);
}

/** Undefined in browsers without the CSS Custom Highlight API: they scroll to the word without highlighting it. */
const highlights = (): HighlightRegistry | undefined => ('highlights' in CSS ? CSS.highlights : undefined);
