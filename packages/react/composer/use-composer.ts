import type { OutboxEntry, SendParams, TimelineKey } from '@parley/client';
import { useEffect, useState } from 'react';
import { useStore } from '../provider.ts';
import { useStoreCell } from '../use-store-cell.ts';

export interface ComposerState {
  readonly text: string;
  /** Sets the text, saves it as the timeline's draft, and reports that the user types. */
  readonly setText: (text: string) => void;
  /** The message that the draft replies to. */
  readonly replyTo: string | null;
  /**
   * Sends the text together with `more`, and empties it. Returns null if there is nothing to send. Throws if the client is
   * closed, and keeps the text.
   */
  readonly send: (more?: Partial<SendParams>) => OutboxEntry | null;
}

/** The text without blank lines at its beginning and end; the first line keeps its indentation: it may be code. */
export const bodyOf = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();

/** The text that the user writes in a timeline. A draft from another device replaces it. */
export function useComposer(key: TimelineKey): ComposerState {
  const store = useStore();
  const { chat_id, channel_id, thread_root_id } = key;
  useEffect(
    () => () => store.setTyping({ chat_id, channel_id, thread_root_id }, false),
    [store, chat_id, channel_id, thread_root_id],
  );
  const place = [chat_id, channel_id, thread_root_id].join(' ');
  const [written, setWritten] = useState({ place, text: '' });
  const own = written.place === place ? written.text : '';
  const draft = useStoreCell((one) => one.draft(key));
  const saved = draft?.text ?? '';
  // A draft is not blank, but the user's text may be.
  const text = own.trim() === saved.trim() ? own : saved;
  const replyTo = draft?.reply_to_id ?? null;
  return {
    text,
    replyTo,
    setText(next) {
      setWritten({ place, text: next });
      store.saveDraft(key, next, replyTo);
      store.setTyping(key, next.trim() !== '');
    },
    send(more = {}) {
      const body = bodyOf(text);
      if (body === '' && !more.text && !more.attachments?.length && !more.poll) return null;
      const entry = store.client.send({
        text: body,
        clear_draft: 'timeline',
        ...(replyTo !== null && { reply_to_message_id: replyTo }),
        ...more,
        chat_id,
        ...(channel_id && { channel_id }),
        ...(thread_root_id && { thread_root_id }),
      });
      setWritten({ place, text: '' });
      store.setTyping(key, false);
      return entry;
    },
  };
}
