import type { Chat } from '@parley/client/store';
import type { MediaKind, Message } from '@parley/protocol';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { errorText } from '../../words/error-text.ts';
import { afterPage, noPages } from './media-pages.ts';

const PAGE = 50;

interface OpenPages {
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
  readonly error: string | null;
  /** Loads the next page. */
  readonly more: () => void;
}

/** The pages of a list of media, and what people have sent and deleted since it was opened. */
export function useMediaPages({ id: chat_id, last_message_id }: Chat, kind: MediaKind): OpenPages {
  const { client, store } = useSession();
  const [{ messages, next, error }, dispatch] = useReducer(afterPage, noPages);
  // One call at a time, in order: each continues where the previous one has led.
  const calls = useRef(Promise.resolve());
  const abort = useRef(new AbortController());
  useEffect(() => {
    const way = new AbortController();
    abort.current = way;
    return () => way.abort();
  }, []);
  const load = useCallback(
    (side: 'older' | 'newer', from: { cursor?: string; after?: string }) => {
      const { signal } = abort.current;
      calls.current = calls.current
        .then(async () => client.call('getChatMedia', { chat_id, kind, limit: PAGE, ...from }, { signal }))
        .then(
          ({ items, next_cursor }) => signal.aborted || dispatch({ type: side, messages: items, cursor: next_cursor }),
          (failure: unknown) => signal.aborted || dispatch({ type: 'failed', error: errorText(failure) }),
        )
        .then(() => undefined);
    },
    [client, chat_id, kind],
  );
  const more = useCallback(() => {
    if (next !== 'end') load('older', next === 'first' ? {} : next);
  }, [load, next]);

  useEffect(() => client.on('messageDeleted', ({ ids }) => dispatch({ type: 'deleted', ids })), [client]);

  const last = useCell(store.message(last_message_id ?? ''));
  // An own message is listed once the service has stored it.
  const stored = last && !last.outbox ? last : undefined;
  const newest = messages[0]?.id;
  const seen = useRef(stored?.id);
  useEffect(() => {
    if (stored === undefined || seen.current === stored.id) return;
    seen.current = stored.id;
    if (stored.attachments.length > 0 || kind === 'links') load('newer', newest === undefined ? {} : { after: newest });
  }, [load, kind, stored, newest]);

  return { messages, hasMore: next !== 'end', error, more };
}
