import type { Chat } from '@parley/client/store';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from '../chat/details.module.css';
import { ScheduledList } from '../later/scheduled-list.tsx';
import { QuickActions } from './quick-actions.tsx';
import { t } from '../../words/t.ts';

/** Details of saved messages, the user's chat with themselves. */
export function SavedAbout({ chat }: { chat: Chat }) {
  return (
    <>
      <div className={styles['about']}>
        <ChatAvatar chat={chat} size={88} />
        <h3>{t('Saved messages')}</h3>
        <p>{t('Notes, links and forwarded messages that only you can see.')}</p>
      </div>
      <QuickActions chat={chat} />
      <ScheduledList chat={chat} />
    </>
  );
}
