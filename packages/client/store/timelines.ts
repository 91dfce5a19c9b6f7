import type { TimelineKey } from '../client.ts';
import type { StoreState } from './state.ts';
import type { Timeline } from './store.ts';
import { type FullKey, fullKey, timelineId } from './timeline-id.ts';
import { rowOf } from './versions.ts';
import type { WindowLoader } from './window-loader.ts';
import type { Window } from './windows.ts';

/** Maximum timelines kept without subscribers; those above it are created again when needed. */
const MAX_IDLE = 500;

/** The timelines that an app uses. */
export class Timelines {
  readonly #state: StoreState;
  readonly #loader: WindowLoader;
  readonly #all = new Map<string, Timeline>();

  constructor(state: StoreState, loader: WindowLoader) {
    this.#state = state;
    this.#loader = loader;
  }

  get(key: TimelineKey): Timeline {
    const id = timelineId(key);
    const { family } = this.#state.windows;
    const timeline = this.#all.get(id) ?? this.#make(id, fullKey(key));
    if (this.#all.size > MAX_IDLE)
      for (const one of this.#all.keys()) if (!family.isObserved(one)) this.#all.delete(one);
    this.#all.set(id, timeline);
    return timeline;
  }

  /** After a reconnect, or when a conversation is back: retries failed loads. */
  retry(chatId?: string): void {
    const { windows } = this.#state;
    for (const window of windows.all.values()) {
      if (chatId !== undefined && window.key.chat_id !== chatId) continue;
      if (windows.isObserved(window.key) && !window.isLoaded && !window.loading) void this.#loader.loadNewest(window);
      else if (window.error) {
        window.error = null;
        windows.publish(window);
      }
    }
  }

  /** The message at whose place a message is shown, as far as it is known. */
  #rowOf(id: string): string {
    const message = this.#state.messages.get(id);
    return message ? rowOf(message) : id;
  }

  async #jump(window: Window, place: string | Date): Promise<boolean> {
    const { messages, windows } = this.#state;
    const known = typeof place === 'string' ? messages.keyOf(place) : undefined;
    if (known === undefined || !window.keys.includes(known)) return this.#loader.loadAround(window, place);
    window.target = known;
    windows.publish(window);
    return true;
  }

  #make(id: string, key: FullKey): Timeline {
    const { windows } = this.#state;
    const { family } = windows;
    const open = (): Window => windows.open(key);
    return {
      key,
      get: () => family.get(id),
      subscribe: (listener) => {
        const end = family.subscribe(id, listener);
        const window = open();
        if (!window.isLoaded && !window.loading) void this.#loader.loadNewest(window);
        return end;
      },
      loadOlder: () => this.#loader.loadOlder(open()),
      loadNewer: () => this.#loader.loadNewer(open()),
      jumpTo: async (place) => {
        if (typeof place !== 'string') return this.#jump(open(), place);
        const row = this.#rowOf(place);
        const hasLanded = await this.#jump(open(), row);
        // Only now it is known that the message is an older version: its row is where the newest one is.
        const newest = this.#rowOf(place);
        if (newest === row ? hasLanded : await this.#jump(open(), newest)) return true;
        // If the newest version is hidden, the row is at an older one.
        return newest !== place && this.#jump(open(), place);
      },
      jumpToNewest: async () => {
        const window = open();
        if (!window.isLoaded || window.hasNewer) return this.#loader.loadNewest(window);
        window.target = null;
        window.isAtTop = false;
        return windows.publish(window);
      },
    };
  }
}
