import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pages are at most this wide on their own, in CSS pixels. */
const MOST_WIDTH = 900;
/** Beside the pages, on both sides together. */
const MARGINS = 32;

/** How wide pages are drawn, in CSS pixels. When that changes, the reader stays at the same place of the text. */
export function usePageWidth(stage: RefObject<HTMLDivElement | null>, zoom: number): number {
  const [available, setAvailable] = useState(0);
  const width = Math.round(Math.min(MOST_WIDTH, available) * zoom);
  /** What is in the middle of the stage, as parts of the whole. */
  const middle = useRef({ x: 0.5, y: 0 });
  useEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setAvailable(Math.max(1, element.clientWidth - MARGINS)));
    observer.observe(element);
    const remember = () => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      middle.current = {
        x: (scrollLeft + clientWidth / 2) / scrollWidth,
        // At the top it stays at the top.
        y: scrollTop === 0 ? 0 : (scrollTop + clientHeight / 2) / scrollHeight,
      };
    };
    element.addEventListener('scroll', remember, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', remember);
    };
  }, [stage]);
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element) return;
    const { x, y } = middle.current;
    element.scrollTo(
      x * element.scrollWidth - element.clientWidth / 2,
      y * element.scrollHeight - element.clientHeight / 2,
    );
  }, [stage, width]);
  return width;
}
