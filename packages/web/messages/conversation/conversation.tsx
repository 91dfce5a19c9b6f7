// The page of an open conversation. May import: all other folders of messages and the rooms below messages.
import { useCallback, useMemo, useState } from 'react';
import { ChatDetails } from '../../chats/details/chat-details.tsx';
import { useSignal } from '../../composer/composing/composing.ts';
import { ConversationHeader } from './conversation-header.tsx';
import { type ChatRoute, OpenConversation } from './open-conversation.tsx';

/** An open conversation: header, timeline and composer, with a thread or the details next to it. */
export function Conversation({ route }: { route: ChatRoute }) {
  const { chatId, channelId } = route;
  const [isDetailed, setIsDetailed] = useState(false);
  const place = useMemo(() => ({ chat_id: chatId, channel_id: channelId }), [chatId, channelId]);
  useSignal(
    'details',
    place,
    useCallback(() => setIsDetailed(true), []),
  );
  return (
    <OpenConversation
      route={route}
      header={(chat) => (
        <ConversationHeader chat={chat} channelId={channelId} onDetails={() => setIsDetailed(!isDetailed)} />
      )}
      beside={(chat) => (isDetailed ? <ChatDetails chat={chat} onClose={() => setIsDetailed(false)} /> : null)}
    />
  );
}
