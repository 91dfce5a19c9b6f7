// What the client takes from where it runs. Each may be given instead.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  now(): number;
  setTimer(callback: () => void, ms: number): Timer;
}

type Answer<Value> = Value | Promise<Value>;

/** Strings by their keys. `localStorage` is one; any other tells its `keys`. */
export type KeyValueStorage = {
  getItem(key: string): Answer<string | null>;
  setItem(key: string, value: string): Answer<unknown>;
  removeItem(key: string): Answer<unknown>;
} & ({ keys(): Answer<Iterable<string>> } | { readonly length: number; key(index: number): string | null });

/** Whether there is a network. */
export interface Network {
  readonly isOnline: boolean;
  /** Told of each change; the answer ends it. */
  subscribe(listener: (isOnline: boolean) => void): () => void;
}

/** That of `navigator.locks`, as far as it is used. */
export interface LockManager {
  request<Value>(name: string, options: { signal?: AbortSignal }, callback: () => Promise<Value>): Promise<Value>;
}

/** The part of a WebSocket that is used: that of browsers, of Node and of `ws` fit. */
export interface WebSocketLike {
  send(data: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}
export type WebSocketClass = new (url: string) => WebSocketLike;

/** Tells when a page goes away or is hidden, after which it may never run again; where nobody tells, none does. */
export interface PageLife {
  /** The answer ends it. */
  onLeave(listener: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** A browser tells whether it is online; where nobody tells, one is. */
export function systemNetwork(): Network {
  // Of a browser; Node has neither `onLine` nor events of the global object.
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
      const tell = (): void => listener(isOnline());
      addEventListener('online', tell);
      addEventListener('offline', tell);
      return () => {
        removeEventListener('online', tell);
        removeEventListener('offline', tell);
      };
    },
  };
}

/** That of a browser's page. */
export const systemPage: PageLife = {
  onLeave(listener) {
    // Of a page; a worker has no document, and Node neither.
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

/** Web Locks, where there are any. */
export const systemLocks = (): LockManager | undefined =>
  // Node 24 and browsers have it, on pages that came over https.
  (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;

/** Lasts as long as the page. */
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
