import type { Chat } from '@parley/client/store';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePage } from '../../browser/page.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import styles from '../chat/details.module.css';

/** Deletes a separate chat (WEB-155). */
export function DeleteChat({ chat }: { chat: Chat }) {
  const { navigation } = usePage();
  const { client, username } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  async function remove() {
    await client.call('deleteChat', { chat_id: chat.id });
    const route = navigation.get();
    // The user may have opened another chat meanwhile.
    if (route.name === 'chat' && route.chatId === chat.id) navigation.navigate({ name: 'home' }, { replace: true });
  }
  return (
    <div className={styles['divided']}>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        <Trash2 size={17} aria-hidden /> Delete this chat
      </Button>
      {isAsking ? (
        <Confirm
          title={`Delete “${chatTitle(chat, username)}”`}
          text="This chat and all its messages are deleted for good, on all your devices. Your other chats with this agent stay."
          action="Delete chat"
          isDanger
          onConfirm={remove}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </div>
  );
}
