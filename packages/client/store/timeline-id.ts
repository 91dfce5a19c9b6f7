import type { Message } from '@parley/protocol';
import type { TimelineKey } from '../client.ts';

/** A timeline with all fields set, named as in the service. */
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

/** A string that identifies a timeline. */
export const timelineId = ({ chat_id, channel_id, thread_root_id }: TimelineKey): string =>
  `${chat_id}|${channel_id ?? ''}|${thread_root_id ?? ''}`;

/** The timeline that a string from `timelineId` identifies. */
export function keyOf(id: string): FullKey {
  const [chat_id = '', channel_id = '', thread_root_id = ''] = id.split('|');
  return { chat_id, channel_id: channel_id || null, thread_root_id: thread_root_id || null };
}

export const timelineIdOf = ({
  conversation_id,
  channel_id,
  thread_root_id,
}: Pick<Message, 'conversation_id' | 'channel_id' | 'thread_root_id'>): string =>
  timelineId({ chat_id: conversation_id, channel_id, thread_root_id });

/** As params of an operation, without null fields. */
export const placeOf = ({ chat_id, channel_id, thread_root_id }: FullKey) => ({
  chat_id,
  ...(channel_id !== null && { channel_id }),
  ...(thread_root_id !== null && { thread_root_id }),
});
