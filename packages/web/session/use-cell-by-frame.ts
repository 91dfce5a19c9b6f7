import type { Cell } from '@parley/client';
import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Who is told when the next frame is made. */
let waiting = new Set<() => void>();

/** Calls it when the next frame is made. */
export function tellByFrame(listener: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(tellAll);
  waiting.add(listener);
}

function tellAll(): void {
  const told = waiting;
  waiting = new Set();
  // What they change is rendered here, in one go: it stands in this very frame, and makes no second one.
  flushSync(() => {
    for (const listener of told)
      try {
        listener();
      } catch (error) {
        // The others are told all the same.
        reportError(error);
      }
  });
}

const whole = (value: unknown): unknown => value;

/** As useCell; however often the cell changes, the component renders once a frame at most. */
export function useCellByFrame<Value>(cell: Cell<Value>): Value;
/** A part of what it holds: the component renders when that part has changed. `read` keeps its identity. */
export function useCellByFrame<Value, Part>(cell: Cell<Value>, read: (value: Value) => Part): Part;
export function useCellByFrame(cell: Cell<unknown>, read = whole): unknown {
  const [held, hold] = useState(() => ({ cell, read, part: read(cell.get()) }));
  useLayoutEffect(() => {
    const look = (): void => {
      const part = read(cell.get());
      hold((former) =>
        former.cell === cell && former.read === read && Object.is(former.part, part) ? former : { cell, read, part },
      );
    };
    look();
    const end = cell.subscribe(() => tellByFrame(look));
    return () => {
      end();
      waiting.delete(look);
    };
  }, [cell, read]);
  return held.cell === cell && held.read === read ? held.part : read(cell.get());
}
