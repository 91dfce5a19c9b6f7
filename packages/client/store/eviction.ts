import type { StoreState } from './state.ts';

/** Evicts down to this share of the limit, so that eviction does not run for every message. */
const KEPT = 0.8;

/** Evicts messages that no window shows and no subscriber uses once there are too many. */
export class Eviction {
  readonly #state: StoreState;
  readonly #most: number;
  #limit: number;

  constructor(state: StoreState, most: number) {
    this.#state = state;
    this.#most = most;
    this.#limit = most;
  }

  /** Evicts if there are too many messages; otherwise returns quickly. */
  readonly run = (): void => {
    const { messages, windows } = this.#state;
    if (messages.family.size <= this.#limit) return;
    this.#sweep();
    const idle = [...windows.all].filter(([id]) => !windows.family.isObserved(id));
    for (const [id] of idle.toSorted(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (messages.family.size <= this.#most * KEPT) break;
      const { key } = windows.all.get(id) ?? {};
      windows.close((one) => one === key);
      this.#sweep();
    }
    // The remaining messages are in use: check again only after notable growth.
    this.#limit = Math.max(this.#most, Math.ceil(messages.family.size * 1.2));
  };

  /** Evicts all unused messages, which may be out of date. */
  sweepAll(): void {
    const { windows } = this.#state;
    windows.close((_key, window) => !windows.isUsed(window));
    this.#sweep();
  }

  #sweep(): void {
    const { messages, windows, chats } = this.#state;
    const kept = new Set<string>();
    for (const { keys } of windows.all.values()) for (const key of keys) kept.add(key);
    for (const id of chats.family.keys()) {
      const key = chats.lastKey(id);
      if (key !== null) kept.add(key);
    }
    for (const key of messages.family.keys()) {
      if (kept.has(key) || messages.family.isObserved(key)) continue;
      const message = messages.get(key);
      if (message && !message.outbox) messages.remove(message.id);
    }
  }
}
