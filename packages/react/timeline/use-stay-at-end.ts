import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';

interface StayAtEndInput {
  isAtEnd: boolean;
  isLoaded: boolean;
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<Virtualizer<HTMLDivElement, Element> | null>;
}

/** Stays at the end when the composer grows, a keyboard opens or the window shrinks. */
export function useStayAtEnd({ isAtEnd, isLoaded, scroller, list }: StayAtEndInput): void {
  const wasAtEnd = useRef(false);
  wasAtEnd.current = isAtEnd;
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      if (wasAtEnd.current) list.current?.scrollToEnd();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLoaded, scroller, list]);
}
