import type { Cell } from '@parley/client';
import type { StoredMessage } from '@parley/client/store';
import { useSyncExternalStore } from 'react';
import { useStore } from './session.ts';

/** What a reply gets with each word. */
const GROWING: ReadonlySet<string> = new Set<keyof StoredMessage>(['content', 'content_revision']);

/** Whether nothing has come but more of its text. */
function isGrown(former: StoredMessage, message: StoredMessage): boolean {
  if (message.status !== 'streaming') return false;
  const fields = Object.keys(message) as (keyof StoredMessage)[]; // its own keys
  return (
    fields.length === Object.keys(former).length &&
    fields.every((field) => GROWING.has(field) || Object.is(former[field], message[field]))
  );
}

const readers = new WeakMap<Cell<StoredMessage | undefined>, () => StoredMessage | undefined>();

/** The same function for all that show the same message. */
function readerOf(cell: Cell<StoredMessage | undefined>): () => StoredMessage | undefined {
  let reader = readers.get(cell);
  if (!reader) {
    let [seen, shown]: (StoredMessage | undefined)[] = [];
    reader = () => {
      const message = cell.get();
      if (message !== seen && !(shown && message && isGrown(shown, message))) shown = message;
      seen = message;
      return shown;
    };
    readers.set(cell, reader);
  }
  return reader;
}

/**
 * A message for all that stands around its text: while a reply grows it stays the same object, with the text that it
 * had before. MessageText shows the text as it is.
 */
export function useMessageRow(id: string): StoredMessage | undefined {
  const cell = useStore().message(id);
  return useSyncExternalStore(cell.subscribe, readerOf(cell));
}
