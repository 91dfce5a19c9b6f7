import type { Cell } from '@parley/client';
import type { StoredMessage } from '@parley/client/store';

/** The fields that deltas and parts of a streaming reply change. */
const GROWING: ReadonlySet<string> = new Set<keyof StoredMessage>(['content', 'content_revision', 'parts']);

type Read = () => StoredMessage | undefined;

/** Reads messages without their growing text and parts: a streaming reply stays the same object until another field changes. */
export class MessageRows {
  /** One reader per message, shared by all components that show it. */
  readonly #readers = new WeakMap<Cell<StoredMessage | undefined>, Read>();

  readerOf(cell: Cell<StoredMessage | undefined>): Read {
    let reader = this.#readers.get(cell);
    if (!reader) {
      let [seen, shown]: (StoredMessage | undefined)[] = [];
      reader = () => {
        const message = cell.get();
        if (message !== seen && !(shown && message && hasOnlyGrown(shown, message))) shown = message;
        seen = message;
        return shown;
      };
      this.#readers.set(cell, reader);
    }
    return reader;
  }
}

function hasOnlyGrown(former: StoredMessage, message: StoredMessage): boolean {
  if (message.status !== 'streaming') return false;
  const fields = Object.keys(message) as (keyof StoredMessage)[]; // its own keys
  return (
    fields.length === Object.keys(former).length &&
    fields.every((field) => GROWING.has(field) || Object.is(former[field], message[field]))
  );
}
