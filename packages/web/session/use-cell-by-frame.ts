import type { Cell } from '@parley/client';
import { useLayoutEffect, useState } from 'react';
import { useSession } from './session.ts';

const whole = (value: unknown): unknown => value;

/** Like useCell, but renders at most once per frame, however often the cell changes. */
export function useCellByFrame<Value>(cell: Cell<Value>): Value;
/** A part of the cell's value: renders only when that part changes. `read` must be a stable function. */
export function useCellByFrame<Value, Part>(cell: Cell<Value>, read: (value: Value) => Part): Part;
export function useCellByFrame(cell: Cell<unknown>, read = whole): unknown {
  const { frames } = useSession();
  const [held, hold] = useState(() => ({ cell, read, part: read(cell.get()) }));
  useLayoutEffect(() => {
    const look = (): void => {
      const part = read(cell.get());
      hold((former) =>
        former.cell === cell && former.read === read && Object.is(former.part, part) ? former : { cell, read, part },
      );
    };
    look();
    const end = cell.subscribe(() => frames.add(look));
    return () => {
      end();
      frames.delete(look);
    };
  }, [frames, cell, read]);
  return held.cell === cell && held.read === read ? held.part : read(cell.get());
}
