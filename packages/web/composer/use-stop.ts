import type { Chat, Timeline } from '@parley/client/store';
import { useEscape } from '../browser/use-escape.ts';
import { askerOf } from '../session/asker-of.ts';
import { useSession } from '../session/session.ts';
import { useStreaming } from './composing/use-streaming.ts';

interface Stop {
  /** Number of streaming replies in the timeline. */
  readonly streaming: number;
  /** Stops all of them. */
  readonly stop: () => void;
}

/**
 * Stops the streaming replies of a timeline. Outside of threads, which Escape closes, Escape stops those that the user
 * has asked for, if nothing else uses the key (WEB-207).
 */
export function useStop(chat: Chat, timeline: Timeline, onError: (error: unknown) => void): Stop {
  const { client, store, username } = useSession();
  const streaming = useStreaming(timeline);
  const stopAll = (ids: readonly string[]): void => {
    for (const message_id of ids) client.call('stopRun', { chat_id: chat.id, message_id }).catch(onError);
  };

  useEscape((event) => {
    const { target } = event;
    const isHere =
      target === document.body || (target instanceof Element && target.closest('[data-composer=timeline]') !== null);
    if (!isHere || timeline.key.thread_root_id) return;
    const own = streaming.filter((id) => {
      const reply = store.message(id).get();
      return reply !== undefined && askerOf(store, reply) === username;
    });
    if (own.length === 0) return;
    event.preventDefault();
    stopAll(own);
  });
  return { streaming: streaming.length, stop: () => stopAll(streaming) };
}
