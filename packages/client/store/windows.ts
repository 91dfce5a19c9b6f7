import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import type { MessageTable } from './message-table.ts';
import type { StoredMessage, TimelineState } from './store.ts';
import { type FullKey, fullKey, timelineId, timelineIdOf } from './timeline-id.ts';

/** A window that shows so many takes no more at the end that one has scrolled away from. */
const MOST_SHOWN = 2_000;

/** A part of a timeline without holes in it. */
export interface Window {
  readonly key: FullKey;
  /** Keys of messages, by position. */
  keys: string[];
  isLoaded: boolean;
  hasOlder: boolean;
  hasNewer: boolean;
  /** Leads to what is older; absent where the window's beginning was cut off. */
  cursor: string | undefined;
  loading: TimelineState['loading'];
  error: Error | null;
  target: string | null;
  /** One has last loaded what is older: one looks there. */
  isAtTop: boolean;
  usedAt: number;
  /** Loads of an earlier number are void. */
  version: number;
}

const unloaded: TimelineState = {
  ids: [],
  isLoaded: false,
  hasOlder: false,
  hasNewer: false,
  loading: null,
  error: null,
  target: null,
};

/** The windows that are open, and what of each is shown. */
export class Windows {
  readonly family: CellFamily<TimelineState>;
  readonly all = new Map<string, Window>();
  /** Keys of pending messages, by timeline, in the order in which they are sent. */
  pending: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #changes: Changes;
  readonly #messages: MessageTable;
  readonly #publishing = new Map<string, () => void>();
  #uses = 0;

  constructor(changes: Changes, messages: MessageTable) {
    this.#changes = changes;
    this.#messages = messages;
    this.family = new CellFamily(changes, () => unloaded);
  }

  open(key: FullKey): Window {
    const id = timelineId(key);
    const window: Window = this.all.get(id) ?? {
      key: fullKey(key),
      keys: [],
      isLoaded: false,
      hasOlder: false,
      hasNewer: false,
      cursor: undefined,
      loading: null,
      error: null,
      target: null,
      isAtTop: false,
      usedAt: 0,
      version: 0,
    };
    window.usedAt = this.#uses += 1;
    this.all.set(id, window);
    return window;
  }

  /** A message is new, or has another place: puts it where it belongs, if that is in a window. */
  place(message: StoredMessage): void {
    const window = this.all.get(timelineIdOf(message));
    if (!window?.isLoaded || message.outbox) return;
    const { keys } = window;
    const at = keys.lastIndexOf(message.key);
    if (at >= 0) {
      if (this.#isBetween(keys[at - 1], message, keys[at + 1])) return;
      keys.splice(at, 1);
    }
    const behind = this.#indexBehind(keys, message.position);
    const isLast = behind === keys.length;
    // Beyond the window's ends there may be a hole.
    if ((isLast && window.hasNewer) || (behind === 0 && window.hasOlder)) return this.publish(window);
    if (isLast && window.isAtTop && keys.length >= MOST_SHOWN) window.hasNewer = true;
    else keys.splice(behind, 0, message.key);
    if (keys.length > MOST_SHOWN && !window.isAtTop) this.#cutBeginning(window);
    this.publish(window);
  }

  isObserved(key: FullKey): boolean {
    return this.family.isObserved(timelineId(key));
  }

  take(message: StoredMessage): void {
    const window = this.all.get(timelineIdOf(message));
    const at = window?.keys.lastIndexOf(message.key) ?? -1;
    if (!window || at < 0) return;
    window.keys.splice(at, 1);
    this.publish(window);
  }

  /** All windows of a conversation, or of one of its channels, are gone. */
  close(isMeant: (key: FullKey) => boolean): void {
    for (const [id, window] of this.all) {
      if (!isMeant(window.key)) continue;
      window.version += 1;
      if (!this.family.isObserved(id)) {
        this.all.delete(id);
        this.family.delete(id);
        continue;
      }
      // Somebody looks there still: should it come back, it is loaded anew.
      Object.assign(window, { keys: [], isLoaded: false, hasOlder: false, hasNewer: false, cursor: undefined });
      Object.assign(window, { loading: null, error: null, target: null });
      this.publish(window);
    }
  }

  /** What is shown follows what is so, once a piece of work. */
  publish(window: Window): void {
    const id = timelineId(window.key);
    let publish = this.#publishing.get(id);
    if (!publish) {
      publish = () => {
        this.#publishing.delete(id);
        const present = this.all.get(id);
        if (present) this.family.set(id, this.#shown(id, present));
      };
      this.#publishing.set(id, publish);
    }
    this.#changes.later(publish);
  }

  publishPending(ids: Iterable<string>): void {
    for (const id of ids) {
      const window = this.all.get(id);
      if (window) this.publish(window);
    }
  }

  #shown(id: string, window: Window): TimelineState {
    const { keys, isLoaded, hasOlder, hasNewer, loading, error, target } = window;
    const before = this.family.get(id);
    const pending = hasNewer ? [] : (this.pending.get(id) ?? []);
    const ids = [...keys, ...pending];
    const isSameIds = ids.length === before.ids.length && ids.every((key, at) => key === before.ids[at]);
    const next = { ids: isSameIds ? before.ids : ids, isLoaded, hasOlder, hasNewer, loading, error, target };
    const fields = Object.keys(next) as (keyof TimelineState)[]; // its own keys
    return fields.every((field) => Object.is(before[field], next[field])) ? before : next;
  }

  #positionOf(key: string | undefined, otherwise: number): number {
    return key === undefined ? otherwise : (this.#messages.get(key)?.position ?? otherwise);
  }

  #isBetween(before: string | undefined, { position }: StoredMessage, after: string | undefined): boolean {
    return this.#positionOf(before, -1) <= position && position <= this.#positionOf(after, Infinity);
  }

  /** From the end: most messages are the newest. */
  #indexBehind(keys: readonly string[], position: number): number {
    let at = keys.length;
    while (at > 0 && this.#positionOf(keys[at - 1], -1) > position) at -= 1;
    return at;
  }

  #cutBeginning(window: Window): void {
    window.keys.splice(0, window.keys.length - Math.floor(MOST_SHOWN / 2));
    window.cursor = undefined;
    window.hasOlder = true;
  }
}
