import type { Client } from '@parley/client';

/** Calls `load` now and after each reconnect, for what a broken connection may have kept from loading. */
export function nowAndWhenLive(client: Client, load: () => void): () => void {
  load();
  return client.onState((state) => {
    if (state === 'live') load();
  });
}
