// What the client uses of its environment. Each part can be replaced.

export interface Timer {
  cancel(): void;
}

/** Time, so that tests can control it. */
export interface Clock {
  /** The date: milliseconds since the epoch. It can be set at any moment, so it measures no elapsed time (TIME-1). */
  now(): number;
  /** Milliseconds of a clock that nobody sets, for elapsed time; its zero means nothing (TIME-1). */
  monotonic(): number;
  setTimer(callback: () => void, ms: number): Timer;
}

type Answer<Value> = Value | Promise<Value>;

/** Strings by key. `localStorage` works as it is; any other implementation provides `keys`. */
export type KeyValueStorage = {
  getItem(key: string): Answer<string | null>;
  setItem(key: string, value: string): Answer<unknown>;
  removeItem(key: string): Answer<unknown>;
} & ({ keys(): Answer<Iterable<string>> } | { readonly length: number; key(index: number): string | null });

/** Whether the device is online. */
export interface Network {
  readonly isOnline: boolean;
  /** Calls the listener on each change; the returned function unsubscribes. */
  subscribe(listener: (isOnline: boolean) => void): () => void;
}

/** The part of `navigator.locks` that is used. */
export interface LockManager {
  request<Value>(name: string, options: { signal?: AbortSignal }, callback: () => Promise<Value>): Promise<Value>;
}

/** The part of a WebSocket that is used: those of browsers, Node and `ws` fit. */
export interface WebSocketLike {
  /** As of a WebSocket: 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: number;
  send(data: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}
export type WebSocketClass = new (url: string) => WebSocketLike;

/** Reports that a page is being hidden or left, after which it may never run again. */
export interface PageLife {
  /** Calls the listener on each leave; the returned function unsubscribes. */
  onLeave(listener: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The browser's online state; always online elsewhere. */
export function systemNetwork(): Network {
  // Browser globals; Node has neither `onLine` nor global event listeners.
  const { navigator, addEventListener, removeEventListener } = globalThis as {
    navigator?: { onLine?: boolean };
    addEventListener?: (type: string, listener: () => void) => void;
    removeEventListener?: (type: string, listener: () => void) => void;
  };
  const isOnline = (): boolean => navigator?.onLine !== false;
  return {
    get isOnline() {
      return isOnline();
    },
    subscribe(listener) {
      if (!addEventListener || !removeEventListener) return () => {};
      const notify = (): void => listener(isOnline());
      addEventListener('online', notify);
      addEventListener('offline', notify);
      return () => {
        removeEventListener('online', notify);
        removeEventListener('offline', notify);
      };
    },
  };
}

/** The browser's page. */
export const systemPage: PageLife = {
  onLeave(listener) {
    // Page globals; workers and Node have no document.
    const page = globalThis as Partial<EventTarget> & { document?: EventTarget & { visibilityState: string } };
    const { document } = page;
    if (!document || !page.addEventListener) return () => {};
    const hide = (): void => {
      if (document.visibilityState === 'hidden') listener();
    };
    page.addEventListener('pagehide', listener);
    document.addEventListener('visibilitychange', hide);
    return () => {
      page.removeEventListener?.('pagehide', listener);
      document.removeEventListener('visibilitychange', hide);
    };
  },
};

/** Undefined in Node 20, which has no WebSocket. */
export const systemWebSocket = (): WebSocketClass | undefined =>
  (globalThis as { WebSocket?: WebSocketClass }).WebSocket;

/** Web Locks, if available. */
export const systemLocks = (): LockManager | undefined =>
  // Available in Node 24 and in browsers on https pages.
  (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;

/** A storage in memory: it lasts as long as the page. */
export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  };
}

export async function keysOf(storage: KeyValueStorage): Promise<string[]> {
  if ('keys' in storage && typeof storage.keys === 'function') return [...(await storage.keys())];
  if (!('length' in storage)) return [];
  return Array.from({ length: storage.length }, (_, at) => storage.key(at)).filter((key) => key !== null);
}
