import type { Chat, StoredMessage } from '@parley/client/store';
import { Check, CheckCheck, Clock } from 'lucide-react';
import { lazy, memo, type ReactNode, Suspense, useCallback, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useSession } from '../../session/session.ts';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import { t } from '../../words/t.ts';
import styles from './message-ticks.module.css';

const ReadersDialog = lazy(async () => import('./readers-dialog.tsx'));

interface TicksProps {
  chat: Chat;
  message: StoredMessage;
}

/** Beside an own message: a clock until it is stored, then one tick, and two once another person has read it. */
export const MessageTicks = memo(function MessageTicks({ chat, message }: TicksProps) {
  const { username } = useSession();
  if (message.outbox?.state === 'failed') return null;
  if (message.outbox ?? message.is_waiting) return <Mark icon={<Clock role="img" aria-label={t('Sending')} />} />;
  const hasReaders = chat.participants.some((other) => other.kind === 'human' && other.username !== username);
  return hasReaders ? <ReadTicks chat={chat} message={message} /> : null;
});

/** In a group the two ticks open the list of who has read it. */
function ReadTicks({ chat, message: { id, position } }: TicksProps) {
  const { store } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const isPassed = useCallback((readUpTo: number) => readUpTo >= position, [position]);
  const isRead = useCellByFrame(store.readPosition(chat.id), isPassed);
  if (!isRead) return <Mark icon={<Check role="img" aria-label={t('Sent')} />} />;
  if (chat.kind === 'direct') return <Mark icon={<CheckCheck role="img" aria-label={t('Read')} />} isRead />;
  return (
    <>
      <button
        type="button"
        className={classNames(styles['mark'], 'ui-accent ui-press ui-hover')}
        aria-label={t('Read. See who has read it')}
        aria-haspopup="dialog"
        title={t('See who has read it')}
        onClick={() => setIsOpen(true)}
      >
        <CheckCheck aria-hidden />
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ReadersDialog messageId={id} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function Mark({ icon, isRead }: { icon: ReactNode; isRead?: boolean }) {
  return <span className={classNames(styles['mark'], isRead && 'ui-accent')}>{icon}</span>;
}
