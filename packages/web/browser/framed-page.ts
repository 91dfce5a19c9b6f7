import type { Page } from './page.ts';
import { chatRoute, type Route } from './route.ts';

export interface FramedPage extends Page {
  /** Opens a conversation, the only one whose places can be opened from then on. */
  setChat(chatId: string): void;
}

/**
 * A page in a frame of another page. Both share one history, so it adds no entries: Back belongs to the page around it.
 * Only the places of one conversation can be opened, and they have no addresses.
 */
export function framedPage(): FramedPage {
  const listeners = new Set<() => void>();
  let open = '';
  let route: Route = chatRoute(open);
  function show(next: Route): void {
    route = next;
    for (const listener of listeners) listener();
  }
  return {
    setChat(chatId) {
      if (chatId === open) return;
      open = chatId;
      show(chatRoute(chatId));
    },
    overlays: { add: () => undefined, remove: () => undefined, leaveAll: (go) => go() },
    navigation: {
      get: () => route,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      navigate(next) {
        if (next.name === 'chat' && next.chatId === open) show(next);
      },
      watchLeaving: () => () => undefined,
      addressOf: () => null,
    },
    loadedScripts: new Set(),
    beside: { chatId: null },
  };
}
