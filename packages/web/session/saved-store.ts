// What a browser keeps of an account's conversations, so that the app opens without a network (WEB-360).
import { dateBefore } from '@parley/protocol/dates';
import type { SavedStore, Store } from '@parley/client/store';
import { clear, createStore as openDatabase, get, promisifyRequest, type UseStore } from 'idb-keyval';

/** The saved state has the shape that this build of the app reads and writes. */
const BUILD = import.meta.url;
/** A browser may keep a database waiting, for example while another tab deletes it. */
const PATIENCE_MS = 1_000;
const RECENT_MS = 7 * 24 * 3_600_000;
const MAX_RECENT = 50;
/** After the page has what it shows. */
const RECENT_DELAY_MS = 5_000;
const SAVE_EVERY_MS = 60_000;

interface Kept {
  build: string;
  store: SavedStore;
}

/** Earlier builds shared this database with the service worker. It had the table of only the one that came first. */
const FORMER = 'parley';

let database: UseStore | undefined;
function opened(): UseStore {
  if (!database) indexedDB.deleteDatabase(FORMER);
  return (database ??= openDatabase('parley-conversations', 'stores'));
}

/** What the browser has kept for the account; undefined if there is none that this build can read. */
export async function readSaved(username: string): Promise<SavedStore | undefined> {
  const patience = new Promise<undefined>((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
  });
  try {
    const kept = await Promise.race([get<Kept>(username, opened()), patience]);
    return kept?.build === BUILD ? kept.store : undefined;
  } catch {
    // Without a database the app opens as for the first time.
    return undefined;
  }
}

/** Committed at once: the page may be gone before its browser would do that. */
const write = (username: string, kept: Kept): Promise<void> =>
  opened()('readwrite', (stores) => {
    stores.put(kept, username);
    stores.transaction.commit();
    return promisifyRequest(stores.transaction);
  });

/** Deletes everything that was kept. */
export const dropSaved = (): Promise<void> => clear(opened()).catch(() => undefined);

/**
 * Saves the store when the page is hidden or left, and once a minute; before that it loads the conversations of the last
 * week. Returns a function that ends this. `isKept`: whether the browser still has the session.
 */
export function keepSaved(username: string, store: Store, isKept: () => boolean): () => void {
  let savedAt: number | null = null;
  const save = (): void => {
    if (!isKept() || store.client.position === savedAt) return;
    const state = store.save();
    if (!state) return;
    savedAt = state.position;
    const kept: Kept = { build: BUILD, store: state };
    void write(username, kept)
      // Another tab may have signed out while it was written.
      .then(() => (isKept() ? undefined : dropSaved()))
      .catch(() => undefined);
  };
  const onHidden = (): void => {
    if (document.visibilityState === 'hidden') save();
  };
  let recent: ReturnType<typeof setTimeout> | undefined;
  const end = store.client.onState((state) => {
    if (state !== 'live' || recent !== undefined) return;
    recent = setTimeout(() => {
      void store.loadRecent(new Date(dateBefore(Date.now(), RECENT_MS)), MAX_RECENT).then(save);
    }, RECENT_DELAY_MS);
  });
  const timer = setInterval(save, SAVE_EVERY_MS);
  document.addEventListener('visibilitychange', onHidden);
  addEventListener('pagehide', save);
  return () => {
    end();
    clearTimeout(recent);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onHidden);
    removeEventListener('pagehide', save);
  };
}
