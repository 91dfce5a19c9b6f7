import type { Page } from './page.ts';
import { chatRoute, type Route } from './route.ts';

/**
 * A page in a frame of another page. Both share one history, so it adds no entries: Back belongs to the page around it.
 * Only the places of one conversation can be opened, and they have no addresses.
 */
export function framedPage(chatId: string): Page {
  const listeners = new Set<() => void>();
  let route: Route = chatRoute(chatId);
  return {
    overlays: { add: () => undefined, remove: () => undefined, leaveAll: (go) => go() },
    navigation: {
      get: () => route,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      navigate(next) {
        if (next.name !== 'chat' || next.chatId !== chatId) return;
        route = next;
        for (const listener of listeners) listener();
      },
      watchLeaving: () => () => undefined,
      addressOf: () => null,
    },
    loadedScripts: new Set(),
    beside: { chatId: null },
  };
}
