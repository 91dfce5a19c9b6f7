import type { Chat } from '@parley/client/store';
import { Megaphone } from 'lucide-react';
import styles from './blocked-note.module.css';
import { useOwnRole } from '../chats/chat/use-own-role.ts';
import { t } from '../words/t.ts';

/** Whether only owner and admins write in this group, and the reader is neither. */
export function useIsReader(chat: Chat): boolean {
  const areManagersOnly = chat.posting === 'managers';
  return useOwnRole(chat, areManagersOnly) === 'member' && areManagersOnly;
}

/** Replaces the composer where the service would refuse any message of the reader (POST-3). */
export function PostingNote() {
  return (
    <div className={styles['note']}>
      <p className={styles['line']}>
        <Megaphone aria-hidden />
        <span>{t('Only the owner and admins write here. You can react to their messages.')}</span>
      </p>
    </div>
  );
}
