import { type RefObject, useEffect } from 'react';

/** What the user does to scroll, or at least to be somewhere. */
const acts = ['wheel', 'pointerdown', 'keydown', 'touchmove'] as const;

/** Keeps an element in the middle of the view while the page around it loads, until the user does something. */
export function useStayInView(element: RefObject<Element | null>, isOn: boolean): void {
  useEffect(() => {
    const place = element.current;
    if (!isOn || !place) return undefined;
    const resized = new ResizeObserver(() => place.scrollIntoView({ block: 'center' }));
    for (let around = place.parentElement; around; around = around.parentElement) resized.observe(around);
    const end = () => resized.disconnect();
    for (const act of acts) addEventListener(act, end, { once: true, passive: true });
    return () => {
      end();
      for (const act of acts) removeEventListener(act, end);
    };
  }, [element, isOn]);
}
