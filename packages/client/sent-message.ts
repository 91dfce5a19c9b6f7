import type { Attachment, GivenField, Message } from '@parley/protocol';
import type { SendParams } from './outbox.ts';

/** `never` if one of the fields is not given under the message's own name: it belongs into the list of the others. */
type Given<Fields> = [Exclude<keyof Fields, GivenField>] extends [never]
  ? { [Name in keyof Fields]: Exclude<Fields[Name], null> }
  : never;

/** The fields of the Message that the service will store, as far as the params of sendMessage determine them. */
export function messageOfParams({
  chat_id,
  channel_id = null,
  thread_root_id = null,
  text,
  attachments,
  reply_to_message_id: reply_to_id = null,
  clear_draft: _draft,
  link_preview: _preview,
  service: _service,
  poll,
  ...given
}: SendParams) {
  return {
    conversation_id: chat_id,
    channel_id,
    thread_root_id,
    content: poll?.question ?? text,
    // As given: the service only changes those that refer to its files.
    attachments: attachments?.map((one) => ({ kind: 'file', ...one }) as Attachment) ?? [],
    reply_to_id,
    // Senders give these under the message's own names; null counts as absent.
    ...(given as Given<typeof given>),
  } satisfies Partial<Message>;
}
