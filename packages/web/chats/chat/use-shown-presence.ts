import type { Presence } from '@parley/protocol';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useCell } from '../../session/use-cell.ts';
import { useStore } from '../../session/session.ts';

const unknown = { get: () => undefined, subscribe: () => () => {} };

/** What is known of an account while the element is in view: the service is asked only about those (PRESENCE-6). */
export function useShownPresence(
  username: string,
): [place: RefObject<HTMLSpanElement | null>, presence: Presence | undefined] {
  const store = useStore();
  const place = useRef<HTMLSpanElement>(null);
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver((entries) => setIsInView(entries.at(-1)?.isIntersecting === true));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return [place, useCell(isInView ? store.presence(username) : unknown)];
}
