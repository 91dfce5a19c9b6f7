import { type Cell, createClient } from '@parley/client';
import { createStore, type Store } from '@parley/client/store';
import { useStore } from './provider.ts';
import { useCell } from './use-cell.ts';

let blank: Store | undefined;

/** What every store holds before it has loaded: a server renders this, and its page is hydrated with it. */
function blankStore(): Store {
  blank ??= createStore(createClient({ url: 'http://blank.invalid', token: '', autoConnect: false }));
  return blank;
}

/** The value of a cell of the provider's store. */
export function useStoreCell<Value>(read: (store: Store) => Cell<Value>): Value {
  return useCell(read(useStore()), () => read(blankStore()).get());
}
