import type { Cell } from '@parley/client';
import { useSyncExternalStore } from 'react';

/**
 * The value of a cell; renders again when it changes. On a server, and while its page is hydrated, a cell has the value
 * with which it began.
 */
export const useCell = <Value>(cell: Cell<Value>): Value => useSyncExternalStore(cell.subscribe, cell.get, cell.get);
