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
      // Not scrollToEnd, which goes on to the new end if rows come meanwhile, also those that the list does not follow.
      if (wasAtEnd.current) list.current?.scrollToOffset(element.scrollHeight - element.clientHeight);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLoaded, scroller, list]);
}
