import type { GivenToken, ToFrame, ToPage } from './host-messages.ts';

/** What the page's script asks for, in the frame's address. */
export interface WidgetSettings {
  /** The id of a conversation, or the username of an agent. */
  readonly chat: string;
  readonly theme: string;
  readonly accent: string;
}

export const settingsOf = (hash: string): WidgetSettings => {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  return { chat: given.get('chat') ?? '', theme: given.get('theme') ?? '', accent: given.get('accent') ?? '' };
};

/** The page around the widget's frame. Messages go to its origin only, and only its own are read (WIDGET-4). */
export class Host {
  readonly #origin: string;
  readonly #listeners = new Set<() => void>();
  #isOpen = false;
  #asked: PromiseWithResolvers<GivenToken | null> | null = null;

  /** `origin`: the browser has verified that this is the origin of the page (WIDGET-2). */
  constructor(origin: string) {
    this.#origin = origin;
    addEventListener('message', ({ source, origin: sender, data }: MessageEvent<ToFrame>) => {
      if (source === parent && sender === origin) this.#receive(data);
    });
  }

  /** Whether the panel is open. */
  readonly isOpen = (): boolean => this.#isOpen;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  post(message: ToPage): void {
    parent.postMessage(message, this.#origin);
  }

  /** Asks the page for a token; null if it has none. */
  askForToken(): Promise<GivenToken | null> {
    if (!this.#asked) {
      this.#asked = Promise.withResolvers();
      this.post({ kind: 'token' });
    }
    return this.#asked.promise;
  }

  #receive(message: ToFrame): void {
    if (message.kind === 'token') {
      this.#asked?.resolve(message.given);
      this.#asked = null;
    } else {
      this.#isOpen = message.isOpen;
      for (const listener of this.#listeners) listener();
    }
  }
}
