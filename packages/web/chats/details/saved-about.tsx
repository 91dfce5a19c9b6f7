import type { Chat } from '@parley/client/store';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from '../chat/details.module.css';
import { QuickActions } from './quick-actions.tsx';

/** About the conversation with oneself. */
export function SavedAbout({ chat }: { chat: Chat }) {
  return (
    <>
      <div className={styles['about']}>
        <ChatAvatar chat={chat} size={88} />
        <h3>Saved messages</h3>
        <p>Notes, links and forwarded messages that you alone see.</p>
      </div>
      <QuickActions chat={chat} />
    </>
  );
}
