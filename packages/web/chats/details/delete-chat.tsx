import type { Chat } from '@parley/client/store';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { AskToDelete } from '../chat/ask-to-delete.tsx';
import styles from '../chat/details.module.css';
import { t } from '../../words/t.ts';

/** Deletes a separate chat. */
export function DeleteChat({ chat }: { chat: Chat }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className={styles['divided']}>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden /> {t('Delete this chat')}
      </Button>
      {isAsking ? <AskToDelete chat={chat} onClose={() => setIsAsking(false)} /> : null}
    </div>
  );
}
