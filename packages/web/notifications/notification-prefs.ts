import type { DeviceNotifPref, NotifPrefs } from '@parley/protocol';

export interface NotificationPrefs {
  readonly account: NotifPrefs;
  readonly device: DeviceNotifPref;
}

type Listener = (prefs: NotificationPrefs) => void;
const listeners = new Set<Listener>();

/** Notifies this page of preferences that were just saved in it: no event of the service does. */
export function publishPrefs(prefs: NotificationPrefs): void {
  for (const listener of listeners) listener(prefs);
}

export function onPrefs(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
