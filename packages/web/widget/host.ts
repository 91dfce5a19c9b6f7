import type { Clock } from '@parley/client';
import type { TokenAnswer, ToFrame, ToPage } from './host-messages.ts';

/** What the page's script asks for, in the frame's address. */
interface WidgetSettings {
  /** The id of a conversation, or the username of an agent. */
  readonly chat: string;
  readonly theme: string;
  readonly accent: string;
}

export const settingsOf = (hash: string): WidgetSettings => {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  return { chat: given.get('chat') ?? '', theme: given.get('theme') ?? '', accent: given.get('accent') ?? '' };
};

/** How long the page may take to answer a request for a token. */
const PATIENCE_MS = 20_000;

/** The page around the widget's frame. Messages go to its origin only, and only its own are read (WIDGET-4). */
export class Host {
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #isOpen = false;
  /** Number of requests for a token so far. */
  #requests = 0;
  /** Takes the answer to the last request. */
  #answer: (answer: TokenAnswer) => void = () => undefined;
  /** Called when the page says that a user may have signed in or out. */
  onRenew: () => void = () => undefined;

  /** `origin`: the browser has verified that this is the origin of the page (WIDGET-2). */
  constructor(origin: string, clock: Clock) {
    this.#origin = origin;
    this.#clock = clock;
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

  /** Asks the page for a token. An answer that comes too late, or after another request, is not taken. */
  askForToken(): Promise<TokenAnswer> {
    this.#answer('failed');
    this.#requests += 1;
    this.post({ kind: 'token', request: this.#requests });
    const { promise, resolve } = Promise.withResolvers<TokenAnswer>();
    const timer = this.#clock.setTimer(() => this.#answer('failed'), PATIENCE_MS);
    this.#answer = (answer) => {
      timer.cancel();
      this.#answer = () => undefined;
      resolve(answer);
    };
    return promise;
  }

  #receive(message: ToFrame): void {
    if (message.kind === 'renew') this.onRenew();
    else if (message.kind === 'token') {
      if (message.request === this.#requests) this.#answer(message.answer);
    } else {
      this.#isOpen = message.isOpen;
      for (const listener of this.#listeners) listener();
    }
  }
}
