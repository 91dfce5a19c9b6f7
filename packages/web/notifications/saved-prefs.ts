import type { DeviceNotifPref, NotifPrefs } from '@parley/protocol';
import { createContext, use } from 'react';

export interface NotificationPrefs {
  readonly account: NotifPrefs;
  readonly device: DeviceNotifPref;
}

type Listener = (prefs: NotificationPrefs) => void;

/** Publishes preferences that were just saved on this page: the service sends no event for them. */
export class SavedPrefs {
  readonly #listeners = new Set<Listener>();

  publish(prefs: NotificationPrefs): void {
    for (const listener of this.#listeners) listener(prefs);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export const SavedPrefsContext = createContext<SavedPrefs | null>(null);

export function useSavedPrefs(): SavedPrefs {
  const prefs = use(SavedPrefsContext);
  if (!prefs) throw new Error('this component needs a SavedPrefsContext around it');
  return prefs;
}
