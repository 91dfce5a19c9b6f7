import type { Message } from '@parley/protocol';
import type { Client } from '../client.ts';
import { fullKey, placeOf } from '../store/timeline-id.ts';

type Caller = Pick<Client, 'call'>;

const HISTORY_PAGE = 200;
const NEXT_MESSAGES = 50;

/** The timeline of a message, as params of an operation. */
export const placeOfMessage = ({ conversation_id: chat_id, channel_id, thread_root_id }: Message) =>
  placeOf(fullKey({ chat_id, channel_id, thread_root_id }));

/**
 * The client_msg_id of an answer: derived from the message or press, so that no daemon gives the same answer twice.
 */
export const answerName = (cause: string, nth = 1): string => `${cause}${nth === 1 ? '' : `:${nth}`}`;

/** The newest messages of the timeline up to `message`, oldest first; later messages belong to later turns. */
export async function messagesUpTo({ call }: Caller, message: Message, limit: number): Promise<Message[]> {
  const found: Message[] = [];
  let cursor: string | undefined;
  do {
    const page = await call('getChatHistory', {
      ...placeOfMessage(message),
      limit: Math.min(HISTORY_PAGE, limit),
      ...(cursor !== undefined && { cursor }),
    });
    found.unshift(...page.items.filter(({ position }) => position <= message.position));
    cursor = page.next_cursor;
  } while (cursor !== undefined && found.length < limit);
  return found.slice(-limit);
}

/** An answer or question that another or an earlier daemon of this bot has begun about the message. */
export async function earlierMessage(
  { call }: Caller,
  username: string,
  message: Message,
  isMeant: (client_msg_id: string) => boolean,
): Promise<Message | undefined> {
  const { items } = await call('getChatHistory', {
    ...placeOfMessage(message),
    after: message.id,
    limit: NEXT_MESSAGES,
  });
  return items.find(({ sender, client_msg_id = '' }) => sender.username === username && isMeant(client_msg_id));
}
