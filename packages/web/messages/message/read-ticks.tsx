import type { Chat, StoredMessage } from '@parley/client/store';
import { Check, CheckCheck } from 'lucide-react';
import { lazy, memo, Suspense, useCallback, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import styles from './read-ticks.module.css';

const ReadersDialog = lazy(async () => import('./readers-dialog.tsx'));

/** Under an own message: one tick once it is stored, two once another person has read it; in a group, who has. */
export const ReadTicks = memo(function ReadTicks({ chat, message }: { chat: Chat; message: StoredMessage }) {
  const { store, username } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const { position } = message;
  const isPassed = useCallback((readUpTo: number) => readUpTo >= position, [position]);
  const isRead = useCellByFrame(store.readPosition(chat.id), isPassed);
  if (!chat.participants.some((other) => other.kind === 'human' && other.username !== username)) return null;
  if (!isRead)
    return (
      <p className={styles['ticks']}>
        <Check role="img" aria-label="Sent" />
      </p>
    );
  if (chat.kind === 'direct')
    return (
      <p className={styles['ticks']} data-read>
        <CheckCheck role="img" aria-label="Read" />
      </p>
    );
  return (
    <p className={styles['ticks']} data-read>
      <button type="button" aria-label="Read. Show who has read it" title="Read" onClick={() => setIsOpen(true)}>
        <CheckCheck aria-hidden />
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ReadersDialog messageId={message.id} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </p>
  );
});
