import { mentionedIn } from '@parley/markdown';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import type { Place } from '../composing/composing.ts';
import type { Previewed } from './who-text.ts';

/** How long what decides the answer must stay the same before the service is asked. */
const PAUSE_MS = 250;
/** How long an answer counts while the user types: modes and keys of agents can change, and threads become quiet. */
const FRESH_MS = 10_000;

interface PreviewInput {
  place: Place;
  replyTo: string | null;
  /** The text as it would be sent; null if no message would be. */
  text: string | null;
}

export interface Preview {
  readonly agents: readonly Previewed[];
  /** The text that was asked about; empty without an answer. */
  readonly text: string;
  /** Asks again. */
  readonly refresh: () => void;
}

interface Found extends Pick<Preview, 'agents' | 'text'> {
  /** What decided the answer. */
  readonly key: string;
  readonly at: number;
}

const none: readonly never[] = [];

/**
 * The agents that the message would fire, as the service answers. In one place only the mentions and the quote of a
 * message matter for that: the service is asked when they change, not at every key. An answer to others is not shown.
 */
export function usePreview({ place, replyTo, text }: PreviewInput): Preview {
  const { client } = useSession();
  const { chat_id, channel_id, thread_root_id } = place;
  const [found, setFound] = useState<Found | null>(null);
  const [round, setRound] = useState(0);
  const refresh = useCallback(() => setRound((before) => before + 1), []);
  const isAsked = text !== null;
  const mentions = text?.includes('@') ? [...mentionedIn(text)].join(' ') : '';
  const key = [chat_id, channel_id, thread_root_id, replyTo, mentions].join(' ');
  const latest = useRef('');
  useEffect(() => {
    latest.current = text ?? '';
    const now = performance.now();
    if (text === null || found === null || now - found.at <= FRESH_MS) return;
    // The old answer counts until the new one arrives, so that the next keys do not ask again.
    setFound({ ...found, at: now });
    refresh();
  }, [text, found, refresh]);

  useEffect(() => {
    if (!isAsked) {
      setFound(null);
      return undefined;
    }
    const way = new AbortController();
    const { signal } = way;
    const timer = setTimeout(() => {
      const asked = latest.current;
      const message = {
        chat_id,
        text: asked,
        channel_id: channel_id ?? undefined,
        thread_root_id: thread_root_id ?? undefined,
        reply_to_message_id: replyTo ?? undefined,
      };
      client.call('previewDispatch', message, { signal }).then(
        ({ agents }) => signal.aborted || setFound({ agents, text: asked, key, at: performance.now() }),
        // The line only helps: without an answer it stays empty.
        () => signal.aborted || setFound(null),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      way.abort();
    };
  }, [client, isAsked, key, round, chat_id, channel_id, thread_root_id, replyTo]);

  return isAsked && found?.key === key
    ? { agents: found.agents, text: found.text, refresh }
    : { agents: none, text: '', refresh };
}
