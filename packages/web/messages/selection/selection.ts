// Choosing several messages of a timeline and acting on them. May import: messages/actions and the rooms below messages;
// this file only session, so that messages/actions may import it.
import { rowOf, type Store, type StoredMessage, type Timeline } from '@parley/client/store';
import { createContext, use, useSyncExternalStore } from 'react';
import type { Session } from '../../session/session.ts';

/** Maximum messages that can be selected: one call of the service. */
export const MAX_SELECTED = 100;

const none: ReadonlySet<string> = new Set();

/** The messages of a timeline that are selected, by the ids of their rows. */
export class Selection {
  readonly #listeners = new Set<() => void>();
  /** Null while nothing is being selected. */
  #rows: ReadonlySet<string> | null = null;
  /** The row that was chosen last, where a range begins. */
  #last: string | null = null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly get = (): ReadonlySet<string> | null => this.#rows;

  get last(): string | null {
    return this.#last;
  }

  /** Adds or removes a message; the first one begins the selection. */
  toggle(message: StoredMessage): void {
    const row = rowOf(message);
    const rows = new Set(this.#rows);
    if (!rows.delete(row) && rows.size < MAX_SELECTED) rows.add(row);
    this.#put(rows, row);
  }

  /** Adds all messages from the one that was chosen last to this one, in the order of `order`. */
  extendTo(message: StoredMessage, order: readonly string[]): void {
    const row = rowOf(message);
    const from = order.indexOf(this.#last ?? row);
    const to = order.indexOf(row);
    if (from < 0 || to < 0) return this.toggle(message);
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    // If the range is too long, its part next to the earlier choice is selected.
    const nearest = to < from ? range.toReversed() : range;
    const rows = new Set(this.#rows);
    for (const one of nearest) if (rows.size < MAX_SELECTED) rows.add(one);
    return this.#put(rows, row);
  }

  end(): void {
    this.#put(null, null);
  }

  #put(rows: ReadonlySet<string> | null, last: string | null): void {
    this.#rows = rows;
    this.#last = last;
    for (const listener of this.#listeners) listener();
  }
}

/** Null where nothing can be selected, as in the chat that tries an agent. */
export const SelectionContext = createContext<Selection | null>(null);

export const useSelection = (): Selection | null => use(SelectionContext);

const never = () => () => undefined;

/** The ids of the selected rows; null while nothing is being selected. */
export function useSelectedRows(): ReadonlySet<string> | null {
  const selection = useSelection();
  return useSyncExternalStore(selection?.subscribe ?? never, selection?.get ?? (() => null));
}

/** Whether messages are being selected, and whether this one is. */
export function useIsSelected(message: StoredMessage): { isSelecting: boolean; isSelected: boolean } {
  const selection = useSelection();
  const row = rowOf(message);
  const read = () => {
    const rows = selection?.get();
    return rows ? (rows.has(row) ? 'selected' : 'selecting') : 'idle';
  };
  const state = useSyncExternalStore(selection?.subscribe ?? never, read);
  return { isSelecting: state !== 'idle', isSelected: state === 'selected' };
}

/** Whether a message can be selected: notices of the service and messages that are not sent yet cannot. */
export const isSelectable = ({ service, outbox }: StoredMessage): boolean => !service && !outbox;

/** The rows of a timeline that can be selected, in their order. */
export const selectableRows = (store: Store, timeline: Timeline): string[] =>
  timeline.get().rows.flatMap((key) => {
    const message = store.message(key).get();
    return message && isSelectable(message) ? rowOf(message) : [];
  });

/** The messages that the selected rows show, in the order of the timeline; without those that were deleted meanwhile. */
export function selectedMessages({ store, looks }: Session, rows: ReadonlySet<string> = none): StoredMessage[] {
  return [...rows]
    .flatMap((id) => {
      const row = store.message(id).get();
      return row ? (store.message(looks.shownIn(row)).get() ?? row) : [];
    })
    .toSorted((one, other) => one.position - other.position);
}
