import type { Chat, StoredMessage } from '@parley/client/store';
import { CornerUpLeft } from 'lucide-react';
import { lazy, type RefObject, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useReply } from '../actions/use-message-menu.ts';
import styles from './touch-actions.module.css';
import { watchTouches } from './touches.ts';

const MessageSheet = lazy(async () => import('../actions/message-sheet.tsx'));

interface TouchActionsProps {
  row: RefObject<HTMLElement | null>;
  chat: Chat;
  message: StoredMessage;
  isOwn: boolean;
}

/** On a touch screen: a long press opens the actions of a message, a swipe towards the end edge replies to it. */
export function TouchActions({ row, chat, message, isOwn }: TouchActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const reply = useEffectEvent(useReply(message));
  useEffect(() => {
    const element = row.current;
    return element ? watchTouches(element, { press: () => setIsOpen(true), swipe: () => reply() }) : undefined;
  }, [row]);
  return (
    <>
      <span className={styles['hint']} aria-hidden>
        <CornerUpLeft />
      </span>
      {isOpen ? (
        <Suspense fallback={null}>
          <MessageSheet chat={chat} message={message} isOwn={isOwn} anchor={row} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}
