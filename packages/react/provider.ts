import type { Client } from '@parley/client';
import { createStore, type Store } from '@parley/client/store';
import { createContext, createElement, type ReactElement, type ReactNode, useContext, useEffect } from 'react';

const StoreContext = createContext<Store | null>(null);

/** One store per client, however often React renders or mounts. */
const stores = new WeakMap<Client, Store>();

function storeOf(client: Client): Store {
  const store = stores.get(client) ?? createStore(client);
  stores.set(client, store);
  return store;
}

export interface ParleyProviderProps {
  /** Made once, outside of components or by `useState`; with `autoConnect: false` if a server renders too. */
  client: Client;
  /** A store of this client, if it needs options; by default the provider makes one. */
  store?: Store;
  children?: ReactNode;
}

/** Gives the hooks a store, whose client the app connects itself. */
export const StoreProvider = ({ store, children }: { store: Store; children?: ReactNode }): ReactElement =>
  createElement(StoreContext.Provider, { value: store }, children);

/** Gives the hooks their store. The client is connected while the provider is mounted. */
export function ParleyProvider({ client, store = storeOf(client), children }: ParleyProviderProps): ReactElement {
  useEffect(() => {
    client.connect();
    return () => client.close();
  }, [client]);
  return createElement(StoreProvider, { store }, children);
}

/** The store of the provider around this component. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('this component needs a ParleyProvider around it');
  return store;
}

export const useClient = (): Client => useStore().client;
