import type { Message } from '@parley/protocol';
import type { Client } from '../client.ts';
import { fullKey, placeOf } from '../store/timeline-id.ts';

type Caller = Pick<Client, 'call'>;

const HISTORY_PAGE = 200;
const NEXT_MESSAGES = 50;

/** Its timeline, as params of an operation. */
export const placeOfMessage = ({ conversation_id: chat_id, channel_id, thread_root_id }: Message) =>
  placeOf(fullKey({ chat_id, channel_id, thread_root_id }));

/** The name under which an answer is known to the service: one that is there already is not given twice. */
export const answerName = (messageId: string, nth = 1): string => `re:${messageId}${nth === 1 ? '' : `:${nth}`}`;

/** The newest messages of its timeline up to it, oldest first: what was said behind it is for turns behind it. */
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

/** What a former daemon of this bot, or another one, has answered to a message, or is answering. */
export async function earlierAnswer({ call }: Caller, username: string, message: Message) {
  const { items } = await call('getChatHistory', {
    ...placeOfMessage(message),
    after: message.id,
    limit: NEXT_MESSAGES,
  });
  const name = answerName(message.id);
  return items.find(({ sender, client_msg_id }) => client_msg_id === name && sender.username === username);
}
