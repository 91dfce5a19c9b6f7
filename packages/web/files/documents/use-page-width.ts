import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Maximum width of a page at zoom 1, in CSS pixels. */
const MAX_WIDTH = 900;

/**
 * How wide pages are shown, in CSS pixels. When that changes, the reader stays at the same place of the text. Places are
 * measured on the screen, because scroll positions are negative where text runs from right to left.
 */
export function usePageWidth(
  stage: RefObject<HTMLElement | null>,
  pages: RefObject<HTMLElement | null>,
  zoom: number,
): number {
  const [available, setAvailable] = useState(0);
  const width = Math.round(Math.min(MAX_WIDTH, available) * zoom);
  /** What is in the middle of the stage, as parts of all pages. */
  const middle = useRef({ x: 0.5, y: 0 });
  useEffect(() => {
    const element = stage.current;
    if (!element || !pages.current) return undefined;
    const { paddingLeft, paddingRight } = getComputedStyle(pages.current);
    const margins = parseFloat(paddingLeft) + parseFloat(paddingRight);
    const observer = new ResizeObserver(() => setAvailable(Math.max(1, element.clientWidth - margins)));
    observer.observe(element);
    const remember = () => {
      const seen = measure(stage.current, pages.current);
      if (!seen) return;
      const { box, x, y } = seen;
      // At the top it stays at the top.
      middle.current = { x: (x - box.left) / box.width, y: element.scrollTop === 0 ? 0 : (y - box.top) / box.height };
    };
    element.addEventListener('scroll', remember, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', remember);
    };
  }, [stage, pages]);
  useLayoutEffect(() => {
    const seen = measure(stage.current, pages.current);
    if (!seen) return;
    const { box, x, y } = seen;
    const wanted = middle.current;
    stage.current?.scrollBy(box.left + wanted.x * box.width - x, box.top + wanted.y * box.height - y);
  }, [stage, pages, width]);
  return width;
}

/** The box of all pages, and the middle of the stage, on the screen. */
function measure(stage: HTMLElement | null, pages: HTMLElement | null) {
  if (!stage || !pages) return null;
  const { left, top } = stage.getBoundingClientRect();
  const { clientLeft, clientTop, clientWidth, clientHeight } = stage;
  const x = left + clientLeft + clientWidth / 2;
  const y = top + clientTop + clientHeight / 2;
  return { box: pages.getBoundingClientRect(), x, y };
}
