import type { Virtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type RefObject, useCallback, useRef } from 'react';
import { afterMeasuring } from './after-measuring.ts';

interface Hold {
  readonly isHeld: RefObject<boolean>;
  readonly onClick: (event: MouseEvent) => void;
}

/** Keeps the rows in place while a click folds or unfolds a part of one: at the end the list would follow its height. */
export function useHold(
  list: RefObject<Virtualizer<HTMLDivElement, Element> | null>,
  onAtEnd: (isAtEnd: boolean) => void,
): Hold {
  const isHeld = useRef(false);
  const onClick = useCallback(
    ({ target }: MouseEvent) => {
      if (!(target instanceof Element && target.closest('[data-fold]'))) return;
      const hold = (value: boolean): void => {
        isHeld.current = value;
        if (list.current) list.current.options.anchorTo = value ? 'start' : 'end';
      };
      hold(true);
      afterMeasuring(() => {
        hold(false);
        // The list itself looks only when something scrolls.
        if (list.current) onAtEnd(list.current.isAtEnd());
      });
    },
    [list, onAtEnd],
  );
  return { isHeld, onClick };
}
