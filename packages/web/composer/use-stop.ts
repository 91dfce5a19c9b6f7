import type { Chat, Timeline } from '@parley/client/store';
import { useSession } from '../session/session.ts';
import { useStreaming } from './composing/use-streaming.ts';

interface Stop {
  /** Number of streaming replies in the timeline. */
  readonly streaming: number;
  /** Stops all of them. */
  readonly stop: () => void;
}

/** Stops the streaming replies of a timeline. */
export function useStop(chat: Chat, timeline: Timeline, onError: (error: unknown) => void): Stop {
  const { client } = useSession();
  const streaming = useStreaming(timeline);
  const stop = (): void => {
    for (const message_id of streaming) client.call('stopRun', { chat_id: chat.id, message_id }).catch(onError);
  };
  return { streaming: streaming.length, stop };
}
