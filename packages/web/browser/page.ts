// What the app shares with its browser page: the address bar and history, media queries, saved appearance, class names.
// Imports from no other folder. main.tsx, or widget.tsx in a frame, creates the one Page and provides it.
import { createContext, use } from 'react';
import type { Navigation } from './navigation.ts';
import type { Overlays } from './overlays.ts';

export interface Page {
  readonly overlays: Pick<Overlays, 'add' | 'remove' | 'leaveAll'>;
  readonly navigation: Pick<Navigation, 'get' | 'subscribe' | 'navigate' | 'watchLeaving' | 'addressOf'>;
  /** Names of the lazily loaded scripts that have arrived. */
  readonly loadedScripts: Set<string>;
  /** The conversation that a page of another route shows, such as an agent's trial chat. */
  readonly beside: { chatId: string | null };
}

/** The conversation that is on the screen. */
export function openChatId({ navigation, beside }: Page): string | null {
  const route = navigation.get();
  return route.name === 'chat' ? route.chatId : beside.chatId;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = use(PageContext);
  if (!page) throw new Error('this component needs a PageContext around it');
  return page;
}
