import type { Cell } from '@parley/client';
import { useSyncExternalStore } from 'react';

/**
 * The value of a cell; renders again when it changes. On a server, and while its page is hydrated, it is `blank` if one is
 * given: a page may be hydrated part by part, after the cell has changed.
 */
export const useCell = <Value>(cell: Cell<Value>, blank: () => Value = cell.get): Value =>
  useSyncExternalStore(cell.subscribe, cell.get, blank);
