import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import type { MessageTable } from './message-table.ts';
import { keepingSame } from './same.ts';
import type { StoredMessage, TimelineState } from './store.ts';
import { type FullKey, fullKey, timelineId, timelineIdOf } from './timeline-id.ts';

/**
 * Maximum messages in a window. Above it the oldest are dropped, or, while the user reads at the top, new ones are not
 * added.
 */
const MAX_SHOWN = 2_000;

/** A contiguous part of a timeline. */
export interface Window {
  readonly key: FullKey;
  /** Message keys, sorted by position. */
  keys: string[];
  isLoaded: boolean;
  hasOlder: boolean;
  hasNewer: boolean;
  /** Cursor to older messages; absent if the window's beginning was cut off. */
  cursor: string | undefined;
  loading: TimelineState['loading'];
  error: Error | null;
  target: string | null;
  /** The user last loaded older messages, so is looking at the beginning. */
  isAtTop: boolean;
  usedAt: number;
  /** Loads started with an earlier version are discarded. */
  version: number;
}

const unloaded: TimelineState = {
  ids: [],
  rows: [],
  isLoaded: false,
  hasOlder: false,
  hasNewer: false,
  loading: null,
  error: null,
  target: null,
};

/** The open windows and their published states. */
export class Windows {
  readonly family: CellFamily<TimelineState>;
  readonly all = new Map<string, Window>();
  /** Keys of pending messages, by timeline, in sending order. */
  pending: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #changes: Changes;
  readonly #messages: MessageTable;
  /** Messages that stay in their window, and are not shown. */
  readonly #isLeftOut: (message: StoredMessage) => boolean;
  readonly #publishing = new Map<string, () => void>();
  #uses = 0;

  constructor(changes: Changes, messages: MessageTable, isLeftOut: (message: StoredMessage) => boolean) {
    this.#changes = changes;
    this.#isLeftOut = isLeftOut;
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

  /** Inserts a new message, or moves one whose position changed, if it belongs inside a window. */
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
    // Beyond the ends of a window there may be a gap.
    if ((isLast && window.hasNewer) || (behind === 0 && window.hasOlder)) return this.publish(window);
    if (isLast && window.isAtTop && keys.length >= MAX_SHOWN) window.hasNewer = true;
    else keys.splice(behind, 0, message.key);
    if (keys.length > MAX_SHOWN && !window.isAtTop) this.#cutBeginning(window);
    this.publish(window);
  }

  isObserved(key: FullKey): boolean {
    return this.family.isObserved(timelineId(key));
  }

  /** Whether somebody subscribes to a window or waits for its load. */
  isUsed({ key, loading }: Window): boolean {
    return loading !== null || this.isObserved(key);
  }

  /** Publishes the window of a message again: it may have got a row, or lost it. */
  refresh(message: StoredMessage): void {
    const window = this.all.get(timelineIdOf(message));
    if (window) this.publish(window);
  }

  take(message: StoredMessage): void {
    const window = this.all.get(timelineIdOf(message));
    const at = window?.keys.lastIndexOf(message.key) ?? -1;
    if (!window || at < 0) return;
    window.keys.splice(at, 1);
    this.publish(window);
  }

  /** Takes out a conversation's messages up to a position; `isEmpty`: none is left, also outside the windows. */
  clear(chatId: string, through: number, isEmpty: boolean): void {
    for (const window of this.all.values()) {
      if (window.key.chat_id !== chatId || !window.isLoaded) continue;
      const keys = window.keys.filter((key) => this.#positionOf(key, Infinity) > through);
      // A window that begins after the position may still have older messages between the two.
      const hasReached = keys.length < window.keys.length || isEmpty;
      Object.assign(window, { keys, ...(hasReached && { hasOlder: false, cursor: undefined }) });
      if (isEmpty) window.hasNewer = false;
      this.publish(window);
    }
  }

  /** Closes all windows of a conversation or of one of its channels. */
  close(isMeant: (key: FullKey, window: Window) => boolean): void {
    for (const [id, window] of this.all) {
      if (!isMeant(window.key, window)) continue;
      window.version += 1;
      if (!this.family.isObserved(id)) {
        this.all.delete(id);
        this.family.delete(id);
        continue;
      }
      // The window still has subscribers: if the conversation comes back, it is loaded again.
      Object.assign(window, { keys: [], isLoaded: false, hasOlder: false, hasNewer: false, cursor: undefined });
      Object.assign(window, { loading: null, error: null, target: null });
      this.publish(window);
    }
  }

  /** Updates the published state once per batch. */
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
    const pending = hasNewer ? [] : (this.pending.get(id) ?? []);
    const isShown = (key: string): boolean => {
      const message = this.#messages.get(key);
      return !message || !this.#isLeftOut(message);
    };
    const ids = [...keys, ...pending].filter(isShown);
    const rows = ids.filter((key) => this.#hasRow(key, window));
    return keepingSame(this.family.get(id), {
      ids,
      rows,
      isLoaded,
      hasOlder,
      hasNewer,
      loading,
      error,
      target: target === null ? null : this.#rowFor(target, rows),
    });
  }

  /**
   * Whether a message has a row: of the versions of a reply the newest that the caller can see. One that is newer is
   * hidden from the caller if it would be within the window and is not known.
   */
  #hasRow(key: string, { keys, hasNewer }: Window): boolean {
    const message = this.#messages.get(key);
    if (!message?.versions) return true;
    const { ids } = message.versions;
    // Ids grow with time.
    const end = hasNewer ? (this.#messages.get(keys.at(-1) ?? '')?.id ?? '') : undefined;
    return ids
      .slice(ids.indexOf(message.id) + 1)
      .every((id) => !this.#messages.get(id) && (end === undefined || id < end));
  }

  /** The row that shows a message: an older version of a reply has none of its own. */
  #rowFor(key: string, rows: readonly string[]): string | null {
    const message = this.#messages.get(key);
    if (!message?.versions) return key;
    const row = message.versions.ids.findLast((id) => rows.includes(id));
    return row ?? rows.find((one) => this.#positionOf(one, 0) > message.position) ?? null;
  }

  #positionOf(key: string | undefined, otherwise: number): number {
    return key === undefined ? otherwise : (this.#messages.get(key)?.position ?? otherwise);
  }

  #isBetween(before: string | undefined, { position }: StoredMessage, after: string | undefined): boolean {
    return this.#positionOf(before, -1) <= position && position <= this.#positionOf(after, Infinity);
  }

  /** Searches from the end, because most new messages are the newest. */
  #indexBehind(keys: readonly string[], position: number): number {
    let at = keys.length;
    while (at > 0 && this.#positionOf(keys[at - 1], -1) > position) at -= 1;
    return at;
  }

  #cutBeginning(window: Window): void {
    window.keys.splice(0, window.keys.length - Math.floor(MAX_SHOWN / 2));
    window.cursor = undefined;
    window.hasOlder = true;
  }
}
