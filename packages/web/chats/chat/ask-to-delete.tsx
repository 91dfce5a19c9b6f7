import type { Chat } from '@parley/client/store';
import { useSession } from '../../session/session.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { chatTitle } from './chat-title.ts';
import { useCloseChat } from './use-close-chat.ts';
import { t } from '../../words/t.ts';

/** Asks before deleting a separate chat. */
export function AskToDelete({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { client, username } = useSession();
  const closeChat = useCloseChat();
  async function remove() {
    await client.call('deleteChat', { chat_id: chat.id });
    closeChat(chat.id);
  }
  return (
    <Confirm
      title={t('Delete “{title}”', { title: chatTitle(chat, username) })}
      text={t(
        'This chat and all its messages are deleted for good, on all your devices. Your other chats with this agent stay.',
      )}
      action={t('Delete chat')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
