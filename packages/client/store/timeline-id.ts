import type { Message } from '@parley/protocol';
import type { TimelineKey } from '../client.ts';

/** All fields there, as the service names them. */
export interface FullKey {
  readonly chat_id: string;
  readonly channel_id: string | null;
  readonly thread_root_id: string | null;
}

export const fullKey = ({ chat_id, channel_id = null, thread_root_id = null }: TimelineKey): FullKey => ({
  chat_id,
  channel_id,
  thread_root_id,
});

/** A string that stands for a timeline. */
export const timelineId = ({ chat_id, channel_id, thread_root_id }: TimelineKey): string =>
  `${chat_id}|${channel_id ?? ''}|${thread_root_id ?? ''}`;

export const timelineIdOf = ({
  conversation_id,
  channel_id,
  thread_root_id,
}: Pick<Message, 'conversation_id' | 'channel_id' | 'thread_root_id'>): string =>
  timelineId({ chat_id: conversation_id, channel_id, thread_root_id });

/** As params of an operation: what is null is left out. */
export const placeOf = ({ chat_id, channel_id, thread_root_id }: FullKey) => ({
  chat_id,
  ...(channel_id !== null && { channel_id }),
  ...(thread_root_id !== null && { thread_root_id }),
});
