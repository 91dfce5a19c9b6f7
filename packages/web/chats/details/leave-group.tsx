import type { Chat } from '@parley/client/store';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { AskToLeave } from '../chat/ask-to-leave.tsx';
import styles from '../chat/details.module.css';
import { t } from '../../words/t.ts';

/** Leaves a group. */
export function LeaveGroup({ chat }: { chat: Chat }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className={styles['divided']}>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        <LogOut aria-hidden /> {t('Leave the group')}
      </Button>
      {isAsking ? <AskToLeave chat={chat} onClose={() => setIsAsking(false)} /> : null}
    </div>
  );
}
