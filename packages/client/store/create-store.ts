import type { Client } from '../client.ts';
import { actionsOf } from './actions.ts';
import { cellsOf } from './cells.ts';
import { followClient } from './follow-client.ts';
import { createParts } from './parts.ts';
import type { Store, StoreOptions } from './store.ts';

/** Creates a store on a client, which loads as soon as possible. */
export function createStore(client: Client, options: StoreOptions = {}): Store {
  const parts = createParts(client, options);
  const unfollow = followClient(parts, options);
  const { state, refresher } = parts;
  return {
    client,
    ...cellsOf(parts),
    ...actionsOf(parts),
    close() {
      unfollow();
      refresher.close();
      state.drafts.close();
      state.inbox.close();
      state.presence.close();
      state.emoji.close();
      state.people.close();
    },
  };
}
