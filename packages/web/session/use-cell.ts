import type { Cell } from '@parley/client';
import { useSyncExternalStore } from 'react';

/** What a cell holds; the component renders again when that has changed. */
export const useCell = <Value>(cell: Cell<Value>): Value => useSyncExternalStore(cell.subscribe, cell.get);
