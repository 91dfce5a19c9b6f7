import type { Cell } from '@parley/client';
import { useSyncExternalStore } from 'react';

/** The value of a cell; renders again when it changes. */
export const useCell = <Value>(cell: Cell<Value>): Value => useSyncExternalStore(cell.subscribe, cell.get);
